import { describe, expect, it } from 'vitest';
import { checkDefinitions, SHAPES } from '../../src/audit/definition-check.ts';
import { type Definitions, STANDARD } from '../../src/measure/definitions.ts';
import { metricValues, tableOf } from '../../src/measure/expected.ts';
import { absent, METRICS, type Summary } from '../../src/measure/metrics.ts';
import { ledgerOf } from '../measure/ledger-builder.ts';

/** Head at 0.2 ms, tokens at 60 ms and then every 8 ms with two gaps of 40, end 60 ms later. */
const tokens = [60, 68, 76, 116, 124, 132, 140, 180, 188, 196];
const passes = SHAPES.map((shape) => ({
  shape,
  first: 0,
  ledger: ledgerOf(
    Array.from({ length: 20 }, (_, i) => ({
      at: 200 * i,
      headers: 0.2,
      tokens,
      end: 256,
      responseId: `chatcmpl-${i}`,
    })),
    { role: shape.role },
  ),
}));

/** A client that really measures by `definitions`, and adds `delay` ms to what it sees. */
const clientOf = (definitions: Definitions, delay = 1) =>
  passes.map((pass) => {
    const table = tableOf(metricValues(pass.ledger, definitions, 0), definitions);
    const late = { ...table };
    for (const metric of ['ttft', 'e2e'] as const) {
      const { p50_ms } = table[metric];
      if (p50_ms !== null) late[metric] = { ...table[metric], p50_ms: p50_ms + delay };
    }
    return { ...pass, reported: late };
  });
const verdicts = (truth: Partial<Definitions>, stated: Partial<Definitions>) =>
  Object.fromEntries(
    checkDefinitions(clientOf({ ...STANDARD, ...truth }), { ...STANDARD, ...stated }).map((check) => [
      check.metric,
      check,
    ]),
  );

describe('definitions that are right', () => {
  it.each<Partial<Definitions>>([
    {},
    { ttft: 'firstChunk' },
    { ttft: 'headers', itl: 'none', tpot: 'none', ntpot: 'none', end: 'responseEnd' },
    { end: 'responseEnd', itl: 'tpot' },
    { end: 'responseEnd', tpot: 'betweenTokens' },
  ])('agree: %j', (definitions) => {
    const found = verdicts(definitions, definitions);
    for (const metric of METRICS) expect(['agrees', 'not given'], metric).toContain(found[metric]!.verdict);
    expect(found.e2e!.difference_ms).toBeCloseTo(1, 9);
  });
});

describe('definitions that are wrong', () => {
  it.each<[Partial<Definitions>, keyof ReturnType<typeof verdicts>]>([
    [{ ttft: 'headers' }, 'ttft'],
    [{ ttft: 'firstChunk' }, 'ttft'],
    [{ itl: 'tpot' }, 'itl'],
    [{ end: 'responseEnd' }, 'e2e'],
    [{ end: 'responseEnd' }, 'tpot'],
    [{ end: 'responseEnd' }, 'ntpot'],
  ])('%j is named where the standard was stated, at %s', (truth, metric) => {
    const found = verdicts(truth, {})[metric]!;
    expect(found.verdict).toBe('another definition');
    expect(found.fits).toContainEqual(truth);
  });
  it('a figure that fits none is said to fit none', () => {
    const odd = clientOf(STANDARD).map((pass) => ({
      ...pass,
      reported: { ...pass.reported, ttft: { ...pass.reported.ttft, p50_ms: 30 } },
    }));
    expect(checkDefinitions(odd, STANDARD)[0]).toMatchObject({ verdict: 'none fits', difference_ms: -30 });
  });
  it('a figure that the facts say is not given, and one that is not given', () => {
    expect(verdicts({}, { itl: 'none' }).itl).toMatchObject({
      verdict: 'given but not stated',
      fits: [{ itl: 'chunkGaps' }],
    });
    const silent = (summary: Summary) =>
      clientOf(STANDARD).map((pass) => ({ ...pass, reported: { ...pass.reported, itl: summary } }));
    expect(checkDefinitions(silent(absent('no')), { ...STANDARD, itl: 'none' })[1]).toMatchObject({
      verdict: 'not given',
      difference_ms: null,
    });
    expect(checkDefinitions(silent(absent('a key gave nothing')), STANDARD)[1]).toMatchObject({
      verdict: 'stated but not given',
      absent: 'a key gave nothing',
    });
    // It is given, and only has no median to compare.
    expect(checkDefinitions(silent({ ...absent('no'), mean_ms: 9 }), STANDARD)[1]).toMatchObject({
      verdict: 'not given',
    });
  });
  it('E2E that is not given, which no definition can deny', () => {
    const silent = clientOf(STANDARD).map((pass) => ({
      ...pass,
      reported: { ...pass.reported, e2e: absent('no') },
    }));
    expect(checkDefinitions(silent, STANDARD).at(-1)).toMatchObject({ verdict: 'stated but not given' });
  });

  it.each([1000, 0.001])(
    'a figure in another unit, × %d, even where another definition is as small',
    (factor) => {
      const other = clientOf(STANDARD, 0).map((pass) => ({
        ...pass,
        reported: {
          ...pass.reported,
          ttft: { ...pass.reported.ttft, p50_ms: pass.reported.ttft.p50_ms! * factor * 1.03 },
        },
      }));
      expect(checkDefinitions(other, STANDARD)[0]).toMatchObject({ verdict: 'none fits', factor, fits: [] });
    },
  );
  it('one that is off by it in one pass only is not taken for a unit', () => {
    const odd = clientOf(STANDARD, 0).map((pass, i) => ({
      ...pass,
      reported: { ...pass.reported, ttft: { ...pass.reported.ttft, p50_ms: i === 0 ? 60_000 : 50_000 } },
    }));
    const [check] = checkDefinitions(odd, STANDARD);
    expect(check).toMatchObject({ verdict: 'none fits' });
    expect(check).not.toHaveProperty('factor');
  });
});
