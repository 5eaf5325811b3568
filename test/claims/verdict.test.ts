import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/claims/arithmetic-check.ts';
import { auditClaim } from '../../src/claims/document.ts';
import type { ExpectedBias } from '../../src/claims/evidence-types.ts';
import { biasKnown } from '../../src/claims/verdict/bias.ts';
import { wholeVerdict } from '../../src/claims/verdict/whole.ts';
import { changed, claimOf, result, STATED } from './sample.ts';

/** The audit of a claim under checks that say just this. */
const audit = (
  results: readonly CheckResult[],
  text: string = STATED,
  expected: readonly ExpectedBias[] = [],
) =>
  auditClaim('claim.yaml', claimOf(text), {
    checks: [{ id: 'identities', about: '', run: () => results }],
    client: null,
    expected,
  });
const verdictOf = (figure: string, ...[results, text, expected]: Parameters<typeof audit>) =>
  audit(results, text, expected).figures.find((one) => one.figure === figure)!;

const MEANS = [
  'c16.ttft_mean',
  'c16.itl_mean',
  'c16.e2e_mean',
  'c16.output_throughput',
  'c16.request_throughput',
];
const MEANS_ONLY = changed([/ {6}ttft_p99.*\n/, '']);
const agrees = result({ figures: MEANS });
const order = result({
  check: 'order-of-statistics',
  title: 'Order, row c16',
  figures: ['c16.ttft_mean', 'c16.ttft_p99'],
});

describe('the verdict on a figure', () => {
  it('is supported where all is stated, a check confirms it and the client adds little', () => {
    const document = audit([agrees, order], MEANS_ONLY);
    expect(document.figures.map(({ verdict }) => verdict)).toEqual(Array(5).fill('supported'));
    expect(document.verdict).toBe('supported');
    expect(document.summary).toBe('nothing that is stated stands against it (5 figures: supported)');
    const [, , ttft] = document.figures;
    expect(ttft!.reasons).toEqual([
      'confirmed by other figures of the claim: Identities, row c16',
      'the client adds at most 0.3 ms by the claimant’s word (by an audit at 16 in flight) against 508 ms',
    ]);
    expect(document.questions).toEqual([]);
  });

  it.each([
    [
      'a contradiction that names it',
      [agrees, result({ state: 'contradicts', figures: ['c16.ttft_mean'], finding: 'no' })],
      'contradicted',
      /Identities, row c16: no/,
    ],
    [
      'one that names another figure only',
      [agrees, result({ state: 'contradicts', figures: ['c16.e2e_mean'] })],
      'supported',
      null,
    ],
    [
      'one that names its row only',
      [agrees, result({ state: 'contradicts', rows: ['c16'], finding: 'the row' })],
      'undetermined',
      /the row/,
    ],
    [
      'a limit on it',
      [agrees, result({ state: 'limits', figures: ['c16.ttft_mean'], finding: 'ramp inside' })],
      'undetermined',
      /ramp inside/,
    ],
    [
      'a limit on its row',
      [agrees, result({ state: 'limits', finding: 'ramp inside' })],
      'undetermined',
      /ramp inside/,
    ],
    ['a limit on another row', [agrees, result({ state: 'limits', rows: ['other'] })], 'supported', null],
    [
      'no check that confirms it',
      [],
      'undetermined',
      /no other figure of the claim lets it be computed again/,
    ],
    ['a check that agrees with its row only', [result({})], 'undetermined', /no other figure/],
    ['order alone, of a mean', [order], 'undetermined', /no other figure/],
    [
      'a restatement alone',
      [result({ check: 'restated-figures', figures: ['c16.ttft_mean'] })],
      'undetermined',
      /no other figure/,
    ],
  ] as const)('with %s', (_, results, verdict, words) => {
    const one = verdictOf('c16.ttft_mean', results);
    expect(one.verdict).toBe(verdict);
    if (words !== null) expect(one.reasons.join('\n')).toMatch(words);
  });

  it.each(['ttft_p99: 619 ms', 'ttft_p99: 40 ms', 'ttft_p99: 5000 ms'])(
    'of a percentile is undetermined however it stands among the others: %s',
    (text) => {
      const one = verdictOf('c16.ttft_p99', [order, agrees], changed(['ttft_p99: 620 ms', text]));
      expect(one.verdict).toBe('undetermined');
      expect(one.reasons).toEqual([
        expect.stringMatching(/no other figure of a claim confirms a percentile/),
      ]);
    },
  );

  it('of a percentile takes no sum for confirmation', () => {
    const sum = result({ check: 'littles-law', figures: ['c16.ttft_p99'] });
    expect(verdictOf('c16.ttft_p99', [sum]).verdict).toBe('undetermined');
  });

  it.each([
    ['neighbours that leave it no other value', 'ttft_p50: 620 ms', 'ttft_max: 620 ms', 'supported'],
    ['a lower one beneath it', 'ttft_p50: 619 ms', 'ttft_max: 620 ms', 'undetermined'],
    ['a higher one above it', 'ttft_p50: 620 ms', 'ttft_max: 621 ms', 'undetermined'],
    ['neighbours of fewer digits', 'ttft_p50: 0.62 s', 'ttft_max: 0.62 s', 'undetermined'],
    ['none above', 'ttft_p50: 620 ms', '', 'undetermined'],
    ['none below', '', 'ttft_max: 620 ms', 'undetermined'],
  ] as const)('of a percentile with %s', (_, below, above, verdict) => {
    const lines = ['ttft_p99: 620 ms', below, above].filter((line) => line !== '').join('\n      ');
    const place = result({ check: 'order-of-statistics', figures: ['c16.ttft_p99'] });
    expect(verdictOf('c16.ttft_p99', [place], changed(['ttft_p99: 620 ms', lines])).verdict).toBe(verdict);
  });

  it.each([
    ['1 %', '', 'undetermined', /^1 % of the requests succeeded, and how the others enter is not stated/],
    ['50 %', '', 'undetermined', /a figure over successes only says nothing of the requests that failed/],
    ['98.9 %', '', 'undetermined', /98\.9 %/],
    ['98.9 %', '\n  failures: left out', 'supported', /over successes only/],
    ['50 %', '\n  failures: counted', 'supported', /those that failed are in the figure/],
    ['99.5 %', '', 'supported', /99\.5 % .*over successes only/],
    ['100.0 %', '', 'supported', null],
  ] as const)('with a success rate of %s%s', (share, failures, verdict, words) => {
    const text = changed(['success-rate: 100 %', `success-rate: ${share}${failures}`]);
    const latency = verdictOf('c16.e2e_mean', [agrees], text);
    expect(latency.verdict).toBe(verdict);
    if (words === null) expect(latency.reasons.join()).not.toMatch(/succeeded/);
    else
      expect(
        latency.reasons.some((reason) => words.test(reason) || words.test(reason.replace(', and', ','))),
      ).toBe(true);
    expect(verdictOf('c16.output_throughput', [agrees], text).verdict).toBe(verdict);
  });

  it.each([['failed: 2,000'], ['completed: 2,000'], ['success_rate: 50.0 %']])(
    'takes the least success rate that the claim gives: %s',
    (line) => {
      const text = changed(
        ['    figures:\n', `    figures:\n      ${line}\n`],
        ['success-rate: 100 %', 'success-rate: 99.5 %'],
      );
      expect(verdictOf('c16.output_throughput', [agrees], text).reasons.join()).toMatch(
        /^50 ?\.?0? % of the requests succeeded|50\.0 % of/,
      );
    },
  );

  it('with a contradicted point that decides nothing by itself is not supported, nor is the claim', () => {
    const document = audit([agrees], MEANS_ONLY.replace('loop: multi', 'loop: single'));
    expect(document.figures.map(({ verdict }) => verdict)).toEqual(Array(5).fill('undetermined'));
    expect(document.figures[0]!.reasons[0]).toMatch(
      /^One event loop or several: one event loop is stated, and 4/,
    );
    expect(document.verdict).toBe('undetermined');
  });

  it('with a second client beyond 10 % is not supported', () => {
    const far = (answer: string) =>
      audit([agrees], MEANS_ONLY.replace(/second-client: .*/, `second-client: ${answer}`));
    expect(far('{apart: 40 %, how: k6}').verdict).toBe('undetermined');
    expect(far('{within: 8 %}').verdict).toBe('supported');
    expect(far('no').verdict).toBe('supported');
  });

  it.each([
    ['t0', ['t0: sent', 't0: not stated'], ['c16.ttft_mean', 'c16.e2e_mean', 'c16.ttft_p99']],
    ['token-source', ['token-source: usage', 'token-source: not stated'], ['c16.output_throughput']],
    [
      'streaming',
      ['streaming: yes', 'streaming: not stated'],
      ['c16.ttft_mean', 'c16.ttft_p99', 'c16.itl_mean'],
    ],
    ['processes', ['processes: 4', 'processes: not stated'], []],
    ['second-client', [/second-client.*/, 'second-client: not stated'], []],
  ] as const)(
    'without %s is undetermined for those that it decides, and no others',
    (id, change, decided) => {
      const open = decided.filter((figure) => figure !== 'c16.ttft_p99');
      const { figures } = audit([agrees, order], changed([/ {6}ttft_p99.*\n/, ''], change));
      expect(
        figures
          .filter(({ verdict }) => verdict !== 'supported')
          .map(({ figure }) => figure)
          .sort(),
      ).toEqual([...open].sort());
      for (const { missing, verdict } of figures)
        expect(missing).toEqual(verdict === 'supported' ? [] : [id]);
    },
  );

  it('is undetermined where the client is contradicted, and says by what', () => {
    const one = verdictOf('c16.ttft_mean', [agrees], changed(['streaming: yes', 'streaming: no']));
    expect(one.verdict).toBe('undetermined');
    expect(one.reasons[0]).toMatch(/^Streaming: no streaming is stated/);
  });

  it('of a throughput needs no bound of the client’s delay, of a latency it does', () => {
    const { figures } = audit([agrees, order], changed([/client-bias.*/, 'client-bias: not stated']));
    expect(figures.filter(({ verdict }) => verdict === 'supported').map(({ figure }) => figure)).toEqual([
      'c16.output_throughput',
      'c16.request_throughput',
    ]);
  });
});

const bounded = (low: number, high: number, caveats: readonly string[] = []): ExpectedBias => ({
  row: 'c16',
  figure: 'c16.ttft_mean',
  audit: { folder: 'results/a', client: 'x', version: '1' },
  caveats,
  state: 'bounded',
  low_ms: low,
  high_ms: high,
  queueing_low_ms: null,
  queueing_high_ms: null,
  rates_rps: [50, 100],
  of: 'ttft_mean',
  words: `it adds ${low} to ${high} ms`,
});

describe('what the client adds', () => {
  const figure = claimOf().rows[0]!.figures.find(({ id }) => id === 'c16.ttft_mean')!;
  const row = claimOf().rows[0]!;
  const stated = (atMost: string) => claimOf(changed(['at-most: 0.3 ms', `at-most: ${atMost}`])).measurement;
  const silent = claimOf(changed([/client-bias.*/, 'client-bias: not stated'])).measurement;

  it.each([
    ['at most 5 % by the claim', stated('25.3 ms'), [], true],
    ['more than 5 % by the claim', stated('25.5 ms'), [], false],
    ['nothing by the claim, little by an audit of its conditions', silent, [bounded(-1, 20)], true],
    ['nothing by the claim, much by an audit', silent, [bounded(20, 40)], false],
    ['nothing by the claim, much below zero by an audit', silent, [bounded(-40, 0)], false],
    ['nothing at all', silent, [], false],
    [
      'little by the claim, and more by an audit',
      stated('1 ms'),
      [bounded(5, 9, ['another machine'])],
      false,
    ],
    [
      'little by the claim, and an audit that allows it',
      stated('1 ms'),
      [bounded(0.5, 9, ['another machine'])],
      true,
    ],
  ] as const)('is %s: known to be small %#', (_, measurement, expected, small) => {
    expect(biasKnown(figure, row, measurement, expected).small).toBe(small);
  });

  it('is by the audit’s interval where it cannot confirm the bound, and says so', () => {
    const close = biasKnown(figure, row, stated('0.01 ms'), [bounded(-1.66, 2.57)]);
    expect(close.small).toBe(true);
    expect(close.words).toMatch(
      /at most 0.01 ms, which an audit of this machine does not confirm, .*it adds -1.66 to 2.57 ms/,
    );
    const wide = biasKnown(figure, row, stated('0.01 ms'), [bounded(-1.66, 40)]);
    expect(wide.small).toBe(false);
    const sure = biasKnown(figure, row, stated('3 ms'), [bounded(-1.66, 2.57)]);
    expect(sure).toMatchObject({ small: true, words: expect.stringContaining('confirms it') });
  });

  it('is the claimant’s word without an audit, and none where that names nothing to look at', () => {
    const how = (words: string) =>
      biasKnown(figure, row, claimOf(changed([/how: by an audit[^}]*/, `how: ${words}`])).measurement, []);
    expect(how('trust me')).toMatchObject({
      small: false,
      words: expect.stringMatching(/trust me.*names no audit and no address/),
    });
    expect(how('see https://example.com/audit.json')).toMatchObject({
      small: true,
      words: expect.stringContaining('claimant’s word'),
    });
    expect(how('our audit at 16').small).toBe(true);
  });

  it('carries into the verdict in what the audit differs', () => {
    const silentText = MEANS_ONLY.replace(/client-bias.*/, 'client-bias: not stated');
    const one = verdictOf('c16.ttft_mean', [agrees], silentText, [
      bounded(-1, 2, ['That it is this machine is your word.']),
    ]);
    expect(one.verdict).toBe('supported');
    expect(one.reasons.at(-1)).toBe('That it is this machine is your word.');
  });

  it('is told with what limits it', () => {
    const unknown: ExpectedBias = {
      row: 'c16',
      figure: null,
      audit: null,
      caveats: [],
      state: 'unknown',
      reason: 'no audit at it.',
    };
    expect(biasKnown(figure, row, silent, [unknown]).words).toBe(
      'what the client adds at this load is not stated, and not known here: no audit at it.',
    );
  });

  it('is shared out in a mean per token where every request has as many, and in nothing else', () => {
    // 2 × 30 / 199 = 0.302 of 7.5 ms: within 5 %, 0.375; over 200 it would be 0.15.
    const of = (
      name: string,
      atMost: string,
      ...changes: readonly (readonly [string | RegExp, string])[]
    ) => {
      const claim = claimOf(
        changed(
          ...(name === 'itl_mean' ? [] : ([['itl_mean', name]] as const)),
          ['at-most: 0.3 ms', `at-most: ${atMost}`],
          ...changes,
        ),
      );
      const [own] = claim.rows;
      const one = own!.figures.find(({ id }) => id === `c16.${name}`)!;
      return biasKnown(one, own!, claim.measurement, []).small;
    };
    expect(of('itl_mean', '30 ms')).toBe(true);
    expect(of('tpot_mean', '37 ms')).toBe(true);
    expect(of('tpot_mean', '38 ms')).toBe(false);
    expect(of('ntpot_mean', '75 ms')).toBe(true);
    expect(of('ntpot_mean', '76 ms')).toBe(false);
    expect(of('itl_p99', '30 ms')).toBe(false);
    expect(of('itl_mean', '30 ms', ['output-length: fixed', 'output-length: mean'])).toBe(false);
  });

  it('may be half a printed digit where that is more than 5 %', () => {
    const coarse = claimOf(changed(['ttft_mean: 507.5 ms', 'ttft_mean: 1 ms'])).rows[0]!.figures[2]!;
    expect(biasKnown(coarse, row, stated('0.5 ms'), []).small).toBe(true);
    expect(biasKnown(coarse, row, stated('0.6 ms'), []).small).toBe(false);
  });

  it('to one user’s tokens a second is held against the time of a token', () => {
    const user = claimOf(
      changed(['    figures:\n', '    figures:\n      user_throughput_mean: 100 tok/s/user\n']),
    ).rows[0]!.figures[0]!;
    expect(biasKnown(user, row, stated('0.5 ms'), []).small).toBe(true);
    expect(biasKnown(user, row, stated('0.6 ms'), []).small).toBe(false);
  });
});

const SECOND = STATED.split('rows:\n')[1]!.replace('id: c16', 'id: d16').replace('1,600 tok/s', '800 tok/s');
const HEADLINE =
  'headlines:\n  - {id: h, text: twice, ratio: 2.0, better: higher, of: c16.output_throughput, over: d16.output_throughput}\n';
const PAIR = STATED + SECOND + HEADLINE;
const both = [...MEANS, ...MEANS.map((id) => id.replace('c16', 'd16'))];
const ratio = result({ check: 'ratios', title: 'Ratio h', rows: [], headlines: ['h'], finding: '2.0' });

describe('the verdict on a headline', () => {
  const of = (results: readonly CheckResult[], text: string = PAIR) => audit(results, text).headlines[0]!;
  const figures = result({ rows: ['c16', 'd16'], figures: both });

  it('is supported where its factor follows from supported figures of like with like', () => {
    expect(of([figures, ratio])).toMatchObject({ verdict: 'supported' });
    const bound = PAIR.replace('ratio: 2.0', 'ratio: 2.0, bound: up to');
    expect(of([figures, ratio], bound).reasons[0]).toMatch(
      /"up to" is supported for this pair, and says nothing of others/,
    );
  });

  it.each([
    [
      'a factor that does not follow',
      [figures, { ...ratio, state: 'contradicts', finding: '1.5' } as const],
      PAIR,
      'contradicted',
      /Ratio h: 1.5/,
    ],
    [
      'a figure that is not supported',
      [ratio],
      PAIR,
      'undetermined',
      /rests on c16.output_throughput, which is undetermined/,
    ],
    ['no check of its factor', [figures], PAIR, 'undetermined', /no check computes its factor again/],
    [
      'a limit',
      [figures, ratio, { ...ratio, state: 'limits', finding: 'burst' } as const],
      PAIR,
      'undetermined',
      /burst/,
    ],
    [
      'another load on one side',
      [figures, ratio],
      PAIR.replace(/concurrency: 16(?![\s\S]*concurrency)/, 'concurrency: 32'),
      'undetermined',
      /unlike is compared: concurrency 16 against 32/,
    ],
    [
      'cold against warm',
      [figures, ratio],
      PAIR.replace(/run: cold(?![\s\S]*run: cold)/, 'run: warm'),
      'undetermined',
      /run cold against warm/,
    ],
    [
      'no figures',
      [figures],
      PAIR.replace(/, of: .*\}/, '}'),
      'undetermined',
      /the page gives no figures for it/,
    ],
  ] as const)('with %s', (_, results, text, verdict, words) => {
    const one = of(results, text);
    expect(one.verdict).toBe(verdict);
    expect(one.reasons.join('\n')).toMatch(words);
  });
});

describe('the verdict on a claim', () => {
  it.each([
    [['supported', 'supported'], 'supported'],
    [['supported', 'undetermined'], 'undetermined'],
    [['undetermined', 'contradicted', 'supported'], 'contradicted'],
    [[], 'undetermined'],
  ] as const)('of %j is %s', (parts, verdict) => {
    expect(wholeVerdict(parts.map((one) => ({ verdict: one })))).toBe(verdict);
  });

  it('is not supported beside a contradicted point of the checklist, of whatever figures', () => {
    const parts = [{ verdict: 'supported' as const }];
    expect(wholeVerdict(parts, [{ state: 'not stated' }])).toBe('supported');
    expect(wholeVerdict(parts, [{ state: 'contradicted' }])).toBe('undetermined');
  });

  it('counts its parts in the summary', () => {
    const { summary } = audit(
      [result({ state: 'contradicts', figures: ['c16.ttft_mean'] }), { ...ratio, state: 'contradicts' }],
      PAIR,
    );
    expect(summary).toBe(
      'not all of it can be true as stated (12 figures: 1 contradicted, 11 undetermined; 1 headline: contradicted)',
    );
  });
});

describe('the questions', () => {
  it('come from contradictions first, then from limits, then from the checklist, none twice', () => {
    const ask = (state: CheckResult['state'], question: string) => result({ state, questions: [question] });
    const { questions } = audit(
      [ask('limits', 'b'), ask('contradicts', 'a'), ask('limits', 'b'), ask('agrees', 'never')],
      changed(
        ['t0: sent', 't0: not stated'],
        ['processes: 4', 'processes: not stated'],
        ['streaming: yes', 'streaming: no'],
      ),
    );
    expect(questions.map(({ text }) => text.slice(0, 24))).toEqual([
      'a',
      'b',
      'Were the answers streame',
      'Does a request’s clock s',
      'How many worker processe',
    ]);
  });
});
