import { describe, expect, it } from 'vitest';
import { biasRows, biasVerdict, cellInterval } from '../../src/measure/bias.ts';
import { absent, type MetricTable, type Summary } from '../../src/measure/metrics.ts';

const flat = (ms: number): Summary => ({ n: 10, mean_ms: ms, p50_ms: ms, p90_ms: ms, p99_ms: ms });
const table = (ms: number): MetricTable => ({
  ttft: flat(ms),
  itl: flat(ms),
  tpot: flat(ms),
  ntpot: flat(ms),
  e2e: flat(ms),
});

describe('biasRows', () => {
  it('splits total bias into definition and queueing bias', () => {
    const rows = biasRows({
      injected: table(49),
      realized: table(50),
      expected: table(5),
      reported: table(7),
    });
    expect(rows).toHaveLength(20);
    for (const row of rows) {
      expect(row.definition_bias_ms).toBe(-45);
      expect(row.queueing_bias_ms).toBe(2);
      expect(row.total_bias_ms).toBe(row.definition_bias_ms! + row.queueing_bias_ms!);
    }
  });

  it('leaves absent figures absent instead of zero', () => {
    const reported = { ...table(7), itl: absent('k6 reads whole bodies') };
    const rows = biasRows({ injected: table(1), realized: table(1), expected: table(1), reported });
    const itl = rows.filter((row) => row.metric === 'itl');
    expect(itl.every((row) => row.queueing_bias_ms === null && row.total_bias_ms === null)).toBe(true);
    expect(itl.every((row) => row.definition_bias_ms === 0)).toBe(true);
  });
});

describe('cellInterval', () => {
  it('uses Student t of two to four repetitions', () => {
    const { kind, interval } = cellInterval([1, 2, 3], [null, null, null]);
    expect(kind).toBe('between trials');
    // 2 ± 4.302653·1/√3
    expect(interval!.low).toBeCloseTo(2 - 4.302653 / Math.sqrt(3), 5);
    expect(interval!.high).toBeCloseTo(2 + 4.302653 / Math.sqrt(3), 5);
    // 1.5 ± 12.706205·√½/√2
    expect(cellInterval([1, 2], [null, null]).interval!.high).toBeCloseTo(1.5 + 12.706205 / 2, 5);
  });

  it('does not take what is within the trials for what is between them', () => {
    const narrow = { low: 0.9, high: 1.1 };
    expect(cellInterval([1, 2], [narrow, narrow]).kind).toBe('between trials');
  });

  it('takes the interval within the trial of a single repetition, and names it', () => {
    const cell = cellInterval([1], [{ low: 0, high: 1.5 }]);
    expect(cell).toMatchObject({ kind: 'within a trial', interval: { low: 0, high: 1.5 } });
  });

  it('has none where a single trial has none, and says why', () => {
    expect(cellInterval([1], [null], ['no interval: too few']).reason).toBe('no interval: too few');
    expect(cellInterval([1], [null])).toMatchObject({ kind: 'none', interval: null });
    expect(cellInterval([], []).kind).toBe('none');
  });
});

describe('biasVerdict', () => {
  const cell = (low: number, high: number) => ({ kind: 'between trials', interval: { low, high } }) as const;
  it.each([
    [cell(2, 3), 1, 0, 'found'],
    [cell(-3, -2), 1, 0, 'found'],
    [cell(-0.5, 0.9), 1, 0, 'none above the floor'],
    [cell(0.5, 3), 1, 0, 'undetermined'],
    [cell(-3, 3), 1, 0, 'undetermined'],
    // The target was 2.5 ms late itself: a bias of 2 to 3 ms may be its own.
    [cell(2, 3), 1, 2.5, 'undetermined'],
    [cell(2, 3), 1, 5, 'none above the floor'],
  ] as const)('%o with floor %d and target error %d: %s', (interval, floor, error, verdict) => {
    expect(biasVerdict(interval, floor, error).verdict).toBe(verdict);
  });

  it('says undetermined without an interval or a floor', () => {
    expect(biasVerdict({ kind: 'none', interval: null, reason: 'too few' }, 1, 0)).toMatchObject({
      verdict: 'undetermined',
      reason: 'too few',
    });
    expect(biasVerdict(cell(2, 3), null, 0).verdict).toBe('undetermined');
  });
});
