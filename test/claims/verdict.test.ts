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
const agrees = result({ figures: MEANS });
const order = result({
  check: 'order-of-statistics',
  title: 'Order, row c16',
  figures: ['c16.ttft_mean', 'c16.ttft_p99'],
});

describe('the verdict on a figure', () => {
  it('is supported where all is stated, a check confirms it and the client adds little', () => {
    const document = audit([agrees, order]);
    expect(document.figures.map(({ verdict }) => verdict)).toEqual(Array(6).fill('supported'));
    expect(document.verdict).toBe('supported');
    expect(document.summary).toBe('nothing that is stated stands against it (6 figures: supported)');
    const [, , ttft] = document.figures;
    expect(ttft!.reasons).toEqual([
      'confirmed by other figures of the claim: Identities, row c16',
      'the client adds at most 0.3 ms (by an audit at 16 in flight) against 508 ms',
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

  it('of a percentile takes its place among the others for confirmation', () => {
    expect(verdictOf('c16.ttft_p99', [order]).verdict).toBe('supported');
    expect(verdictOf('c16.ttft_p99', []).verdict).toBe('undetermined');
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
  ] as const)('without %s is undetermined for those that it decides, and no others', (id, change, open) => {
    const { figures } = audit([agrees, order], changed(change));
    expect(
      figures
        .filter(({ verdict }) => verdict !== 'supported')
        .map(({ figure }) => figure)
        .sort(),
    ).toEqual([...open].sort());
    for (const { missing, verdict } of figures) expect(missing).toEqual(verdict === 'supported' ? [] : [id]);
  });

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
