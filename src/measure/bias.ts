/** Bias of one trial, and the verdict of a cell (a client at a rate, a metric, a statistic) over its repetitions. */
import { type Interval, studentInterval } from './intervals.ts';
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
}

/**
 * The 95 % interval of a cell's queueing bias. Three or more repetitions: Student's t between trials, which carries everything that
 * differs between runs. Fewer: the hull of the intervals within each trial, which does not. None: no figure is a finding.
 */
export function cellInterval(biases: readonly number[], within: readonly (Interval | null)[]): CellInterval {
  if (biases.length >= 3) return { kind: 'between trials', interval: studentInterval(biases) };
  const known = within.filter((interval) => interval !== null);
  if (known.length === 0 || known.length < biases.length) return { kind: 'none', interval: null };
  return {
    kind: 'within a trial',
    interval: {
      low: Math.min(...known.map((interval) => interval.low)),
      high: Math.max(...known.map((interval) => interval.high)),
    },
  };
}

export type BiasVerdict = 'found' | 'none above the floor' | 'undetermined';

/**
 * What may be said of a bias: `found` where the whole interval lies beyond the floor, `none above the floor` where all of it lies
 * inside, `undetermined` otherwise. `targetErrorMs` is the target's own lateness at that statistic: a bias within it could be the
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
  const raised = floor > floorMs ? ", raised by the target's own lateness" : '';
  if (cell.interval === null)
    return {
      verdict: 'undetermined',
      floorMs: floor,
      reason: 'no interval: fewer than three repetitions, and no record of single requests, or too few',
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
