import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditDocument, Finding } from '../../../src/audit/document.ts';
import type { Claim } from '../../../src/claims/claim.ts';
import { expectedBias } from '../../../src/claims/evidence/expected-bias.ts';
import type { ExpectedBias, LocalAudit } from '../../../src/claims/evidence-types.ts';
import type { CostProfile } from '../../../src/measure/cost.ts';
import { sampleDocument } from '../../reports/sample.ts';
import { figure, quantity, sampleClaim } from './sample-claim.ts';

const document = sampleDocument({ clients: ['asyncio', 'k6', 'drifter'] });
const local = (of: AuditDocument = document, more: Partial<LocalAudit> = {}): LocalAudit => ({
  folder: 'results/one',
  document: of,
  ...more,
});
const finding = (rate: number, metric = 'ttft', statistic = 'p50', client = 'asyncio'): Finding =>
  document.findings.find(
    (one) =>
      one.client === client && one.rate_rps === rate && one.metric === metric && one.statistic === statistic,
  )!;
const withFindings = (change: (finding: Finding) => Partial<Finding>): AuditDocument => ({
  ...document,
  findings: document.findings.map((one) => ({ ...one, ...change(one) })),
});
const only = (claim: Claim, ...audits: readonly LocalAudit[]): ExpectedBias => {
  const found = expectedBias(claim, audits.length === 0 ? [local()] : audits);
  expect(found.length).toBe(1);
  return found[0]!;
};
/** Total bias of a finding as it is to be used: widened to the floor where it is not found. */
const ends = (one: Finding) => {
  const found = one.verdict === 'found';
  const low = found ? one.low_ms! : Math.min(one.low_ms!, -one.floor_ms!);
  const high = found ? one.high_ms! : Math.max(one.high_ms!, one.floor_ms!);
  return { low: one.definition_bias_ms! + low, high: one.definition_bias_ms! + high };
};

describe('the bias to expect', () => {
  it('is the interval of the finding at an audited rate', () => {
    const { low, high } = ends(finding(800));
    expect(finding(800).verdict).toBe('found');
    expect(only(sampleClaim({ row: { rateRps: quantity(800, 'req/s') } }))).toMatchObject({
      state: 'bounded',
      row: 'r1',
      figure: 'r1.ttft_p50',
      audit: { folder: 'results/one', client: 'asyncio' },
      low_ms: low,
      high_ms: high,
      queueing_low_ms: finding(800).low_ms,
      queueing_high_ms: finding(800).high_ms,
      rates_rps: [800, 800],
      of: 'ttft_p50',
    });
  });

  it('is the hull of both neighbours between two audited rates, at any of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 1600 }), (rps) => {
        const one = only(sampleClaim({ row: { rateRps: quantity(rps, 'req/s') } }));
        const rates = document.plan.rates_rps;
        const near = [rates.filter((rate) => rate <= rps).at(-1)!, rates.find((rate) => rate >= rps)!];
        if (one.state === 'unknown') return near.some((rate) => rate >= 1600);
        return (
          one.state === 'bounded' &&
          near.every((rate) => {
            const { low, high } = ends(finding(rate));
            // A rate within 1 % of an audited one is that one alone.
            const alone = one.rates_rps[0] === one.rates_rps[1];
            return alone || (one.low_ms <= low && one.high_ms >= high);
          })
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is nothing beyond the audited rates', () => {
    for (const rps of [1, 49, 1700, 1e6])
      expect(only(sampleClaim({ row: { rateRps: quantity(rps, 'req/s') } }))).toMatchObject({
        state: 'unknown',
        figure: null,
        reason: expect.stringContaining('Beyond what was audited'),
      });
  });

  it('widens an interval that is not told from zero to the floor, and says so', () => {
    const quiet = withFindings(() => ({ verdict: 'undetermined', low_ms: 0.1, high_ms: 0.2, floor_ms: 3 }));
    const one = only(sampleClaim(), local(quiet));
    expect(one).toMatchObject({ state: 'bounded', queueing_low_ms: -3, queueing_high_ms: 3 });
    expect(one.caveats.join(' ')).toContain('not told from zero');
  });

  it('is nothing where an audited rate has no interval', () => {
    const gap = withFindings(({ rate_rps }) => (rate_rps === 200 ? { low_ms: null, high_ms: null } : {}));
    expect(only(sampleClaim({ row: { rateRps: quantity(150) } }), local(gap))).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('At 200/s there is no interval'),
    });
    expect(only(sampleClaim(), local(gap)).state).toBe('bounded');
  });

  it('is nothing up to a rate that the client no longer held', () => {
    const lost: AuditDocument = {
      ...document,
      rates: document.rates.map((one) => (one.rate_rps === 200 ? { ...one, fidelity: 0.9 } : one)),
    };
    for (const rps of [150, 200, 300])
      expect(only(sampleClaim({ row: { rateRps: quantity(rps) } }), local(lost))).toMatchObject({
        state: 'unknown',
        reason: expect.stringContaining('no longer held'),
      });
  });

  it('compares by requests and by tokens where replies are longer', () => {
    const claim = sampleClaim({ row: { outputTokens: quantity(64) } });
    const one = only(claim);
    expect(one).toMatchObject({ state: 'order of magnitude', rates_rps: [100, 400] });
    expect(one.caveats.join(' ')).toContain('as requests and as tokens a second');
    for (const rate of [100, 200, 400]) {
      const { low, high } = ends(finding(rate));
      if (one.state === 'unknown') throw new Error();
      expect(one.low_ms).toBeLessThanOrEqual(low);
      expect(one.high_ms).toBeGreaterThanOrEqual(high);
    }
    const tpot = sampleClaim({ row: { outputTokens: quantity(64), figures: [figure('tpot', 'p50', 10)] } });
    expect(only(tpot)).toMatchObject({ state: 'unknown', reason: expect.stringContaining('--tokens 64') });
  });

  it.each([
    ['the statistic is not stated', { figures: [figure('ttft', null, 52)] }, {}, 'which statistic'],
    ['audits have no such statistic', { figures: [figure('ttft', 'p95', 52)] }, {}, 'p95'],
    ['the prompt is longer', { inputTokens: quantity(5000) }, {}, '--prompt-tokens 5000'],
    ['the prompt is not stated', { inputTokens: null }, {}, 'how long its prompts'],
    ['arrivals are others', {}, { arrivals: 'constant' as const }, '--arrivals constant'],
    ['arrivals are a burst', {}, { arrivals: 'all at once' as const }, 'another thing'],
    ['it ran as more processes', {}, { processes: quantity(4) }, '4 processes'],
    [
      'no audit has the client',
      {},
      { client: { name: 'vllm', version: null } },
      'tare audit --client vllm --rate 100 --tokens 16 --prompt-tokens 32 --arrivals poisson',
    ],
  ])('is nothing where %s', (_, row, measurement, words) => {
    expect(only(sampleClaim({ row, measurement }))).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining(words),
    });
  });

  it.each([
    ['another machine', {}, { clientHost: 'AMD EPYC 9654, 96 cores' }, 'another share'],
    ['as many cores of another number', {}, { clientHost: 'AMD EPYC 7B13, 32 cores' }, 'another share'],
    ['a machine not stated', {}, { clientHost: null }, 'not stated'],
    ['another version', {}, { client: { name: 'asyncio', version: '2.0' } }, 'of version 2.0'],
    ['a version not stated', {}, { client: { name: 'asyncio', version: null } }, 'does not state'],
    [
      'prompts less than half as long',
      { inputTokens: quantity(8) },
      {},
      'Prompts of 8 tokens cost the client less',
    ],
    ['a closed loop', {}, { arrivals: 'closed loop' as const }, 'closed loop'],
    ['arrivals not stated', {}, { arrivals: null }, 'Arrivals are not stated'],
    ['lengths that vary', { outputLength: 'mean' as const }, {}, 'vary'],
    ['a rate by throughput', { rateRps: null }, {}, 'states no rate'],
  ])('is an order of magnitude with %s', (_, row, measurement, words) => {
    const one = only(sampleClaim({ row, measurement }));
    expect(one).toMatchObject({
      state: 'order of magnitude',
      reason: expect.stringContaining(words),
      low_ms: ends(finding(100)).low,
      high_ms: ends(finding(100)).high,
    });
    expect(one.caveats.join(' ')).toContain(words);
  });

  it('takes the user’s word for the machine', () => {
    const claim = sampleClaim({ measurement: { clientHost: null } });
    const one = only(claim, local(document, { given: true }));
    expect(one.state).toBe('bounded');
    expect(one.caveats.join(' ')).toContain('your word');
  });

  it('names no command for a client that Tare does not know', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a shell's.
    const name = 'vllm;touch${IFS}/tmp/owned';
    const one = only(sampleClaim({ measurement: { client: { name, version: null } } }));
    expect(one).toMatchObject({ state: 'unknown', reason: expect.stringContaining('names no command') });
    expect(JSON.stringify(one)).not.toContain('tare audit');
  });

  it('has what only informs beside an interval that stays bounded', () => {
    const one = only(sampleClaim());
    expect(one.state).toBe('bounded');
    expect(one.caveats.join(' ')).toMatch(/that it is one is the claim’s word.*a server with other delays/s);
  });

  it('has the definition in a line of its own, and carries no large one to another server', () => {
    const claim = sampleClaim({ measurement: { client: { name: 'k6', version: '2.2.0' } } });
    const one = only(claim);
    expect(one).toMatchObject({
      state: 'order of magnitude',
      caveats: expect.arrayContaining([
        expect.stringContaining('definition of k6'),
        expect.stringContaining('up to its script: audited was the one that Tare ships'),
      ]),
    });
    if (one.state !== 'order of magnitude') throw new Error();
    expect(one.high_ms).toBeLessThan(-40);
  });

  it('says that one repetition holds within that run', () => {
    const single = sampleDocument({ clients: ['asyncio'], repetitions: 1 });
    expect(only(sampleClaim(), local(single)).caveats.join(' ')).toContain('one repetition');
  });

  it('takes the audit of the same conditions, then the narrowest, then the newest', () => {
    const coarse = sampleDocument({ clients: ['asyncio'], rates: [50, 1600 / 2] });
    const claim = sampleClaim();
    expect(only(claim, local(coarse, { folder: 'coarse' }), local()).audit!.folder).toBe('results/one');
    const newer = { ...document, started_at: '2026-01-01T00:00:00.000Z' };
    expect(only(claim, local(), local(newer, { folder: 'newer' })).audit!.folder).toBe('newer');
    const elsewhere = { ...newer, host: { ...document.host, cores: 64 } };
    expect(only(claim, local(), local(elsewhere, { folder: 'elsewhere' })).audit!.folder).toBe('results/one');
  });

  it('says how busy the loop would be, where a profile is there', () => {
    const cost = (us: number) => ({ us, low_us: us, high_us: us });
    const profile: CostProfile = {
      schema: 'tare-cost/1',
      client: 'asyncio',
      client_version: '1',
      host: 'h',
      measured_at: '2026-01-01',
      loops: 1,
      startup_s: 1,
      teardown_s: 1,
      layers: [
        {
          layer: 'sse-token',
          tokenization: 'off',
          request: cost(840),
          token: cost(80),
          prompt_byte: cost(0.5),
          residual_us: 1,
          points: 9,
        },
      ],
    };
    // 840 + 16 · 80 + 32 · 4 · 0.5 = 2184 µs; × 100/s = 0.2184.
    const words = only(sampleClaim(), local(document, { profile })).caveats.join(' ');
    expect(words).toContain('a request costs it 2184 µs');
    expect(words).toContain('ρ 0.22');
  });

  it('has no line for rows without latencies, and none without a client', () => {
    expect(expectedBias(sampleClaim({ row: { figures: [] } }), [local()])).toEqual([]);
    const unnamed = sampleClaim({ measurement: { client: { name: null, version: null } } });
    expect(expectedBias(unnamed, [local()])).toEqual([]);
  });

  it('says a row’s refusal once, and figures’ apart', () => {
    const figures = [figure('ttft', 'p50', 52), figure('ttft', 'p95', 60), figure('e2e', 'p99', 210)];
    const found = expectedBias(sampleClaim({ row: { figures } }), [local()]);
    expect(found.map(({ state }) => state)).toEqual(['bounded', 'unknown', 'bounded']);
    const far = sampleClaim({ row: { figures: [figures[0]!, figures[2]!], rateRps: quantity(1e5) } });
    expect(expectedBias(far, [local()]).length).toBe(1);
  });
});
