/** Bias of one trial, and the verdict of a cell (a client at a rate, a metric, a statistic) over its repetitions. */
import { type Interval, meanInterval } from './intervals.ts';
import { METRICS, type Metric, type MetricTable, STATISTICS, type Statistic, statistic } from './metrics.ts';
import { mean } from './quantile.ts';

/** The five figures of a metric and statistic in one trial, and the differences that DESIGN names; ms, null where absent. */
export interface BiasRow {
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly injected_ms: number | null;
  readonly realized_ms: number | null;
  readonly expected_ms: number | null;
  readonly reported_ms: number | null;
  /** expected − realized. */
  readonly definition_bias_ms: number | null;
  /** reported − expected. */
  readonly queueing_bias_ms: number | null;
  /** reported − realized. */
  readonly total_bias_ms: number | null;
}

const minus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b;

/** Every metric × statistic of a trial. */
export function biasRows(tables: {
  readonly injected: MetricTable;
  readonly realized: MetricTable;
  readonly expected: MetricTable;
  readonly reported: MetricTable;
}): BiasRow[] {
  return METRICS.flatMap((metric) =>
    STATISTICS.map((name) => {
      const realized = statistic(tables.realized[metric], name);
      const expected = statistic(tables.expected[metric], name);
      const reported = statistic(tables.reported[metric], name);
      return {
        metric,
        statistic: name,
        injected_ms: statistic(tables.injected[metric], name),
        realized_ms: realized,
        expected_ms: expected,
        reported_ms: reported,
        definition_bias_ms: minus(expected, realized),
        queueing_bias_ms: minus(reported, expected),
        total_bias_ms: minus(reported, realized),
      };
    }),
  );
}

/** Where the interval of a cell comes from. */
export type IntervalKind = 'between trials' | 'within a trial' | 'none';

export interface CellInterval {
  readonly kind: IntervalKind;
  readonly interval: Interval | null;
  /** Why there is none. */
  readonly reason?: string | null;
}

const NO_RECORDS = 'no interval: one repetition, and no record of single requests';

/**
 * The 95 % interval of a cell's bias. Two or more repetitions: between trials, which carries everything that differs between runs (of two it is
 * wide: t = 12.7). One: within the trial, which does not. None: no figure is a finding. What each covers: docs/intervals.md.
 * @param reasons why a trial has no interval of its own, where it has none
 */
export function cellInterval(
  biases: readonly number[],
  within: readonly (Interval | null)[],
  reasons: readonly (string | null | undefined)[] = [],
): CellInterval {
  const between = meanInterval(biases);
  if (between !== null) return { kind: 'between trials', interval: between };
  const interval = within[0] ?? null;
  if (interval !== null) return { kind: 'within a trial', interval };
  return { kind: 'none', interval, reason: reasons[0] ?? NO_RECORDS };
}

export type BiasVerdict = 'found' | 'none above the floor' | 'undetermined';

/**
 * What may be said of a bias: `found` where the whole interval lies beyond the floor, `none above the floor` where all of it lies
 * inside, `undetermined` otherwise. `targetErrorMs` is the auditor's own error at that statistic, the target's lateness or its ledger's distance from the wire: a bias within it could be the
 * auditor's fault, so it raises the floor.
 */
export function biasVerdict(
  cell: CellInterval,
  floorMs: number | null,
  targetErrorMs: number | null,
): { readonly verdict: BiasVerdict; readonly floorMs: number | null; readonly reason: string } {
  if (floorMs === null)
    return { verdict: 'undetermined', floorMs, reason: 'the floor of this figure could not be measured' };
  const floor = Math.max(floorMs, Math.abs(targetErrorMs ?? 0));
  const raised = floor > floorMs ? ", raised by the auditor's own error in these trials" : '';
  if (cell.interval === null)
    return {
      verdict: 'undetermined',
      floorMs: floor,
      reason: cell.reason ?? NO_RECORDS,
    };
  const { low, high } = cell.interval;
  if (low > floor || high < -floor)
    return {
      verdict: 'found',
      floorMs: floor,
      reason: `the 95 % interval (${cell.kind}) lies beyond the floor${raised}`,
    };
  if (low >= -floor && high <= floor)
    return {
      verdict: 'none above the floor',
      floorMs: floor,
      reason: `the 95 % interval (${cell.kind}) lies within the floor${raised}`,
    };
  return {
    verdict: 'undetermined',
    floorMs: floor,
    reason: `the 95 % interval (${cell.kind}) crosses the floor${raised}: more or longer trials would tell`,
  };
}

/** Mean of the figures that are there; null of none. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null);
  return there.length === 0 ? null : mean(there);
}
