/**
 * The floor: the smallest bias that this machine can tell from zero now. It is what our own client, blocking in the kernel between
 * events as every event-driven client does, shows at a low rate: loopback both ways, waking of idle cores, the clock. A client's
 * bias below it cannot be told from the machine's.
 */
import { METRICS, type Metric, STATISTICS, type Statistic } from '../measure/metrics.ts';
import { parseArrivals, type Workload } from '../measure/workload.ts';
import type { AuditPlan, Floor, Trial } from './document.ts';
import type { PlannedTrial } from './plan.ts';

const RATE_RPS = 200;
const DURATION_S = 5;

/**
 * Above this TTFT median or p99, ms, it was not the machine's floor that was measured but a disturbance: waking up and loopback take
 * tenths of a millisecond, and a stall of a shared machine some milliseconds.
 */
const DISTURBED_MS = { p50: 3, p99: 15 } as const;

/** Its trial's folder among those of the plan. */
export const FLOOR_ID = 'floor';

/** How often the floor is tried for. */
export const FLOOR_TRIES = 3;

/** Whether a floor can be believed. */
export const isPlausible = (floor: Floor): boolean =>
  (floor.floor_ms.ttft.p50 ?? 0) <= DISTURBED_MS.p50 && (floor.floor_ms.ttft.p99 ?? 0) <= DISTURBED_MS.p99;

/** The floor's trial: the plan's own workload, at a low rate. */
export function floorTrial(plan: AuditPlan, workload: Workload, client: string): PlannedTrial {
  const rateRps = Math.min(RATE_RPS, Math.min(...plan.rates_rps));
  return {
    id: FLOOR_ID,
    client,
    rateRps,
    repetition: 0,
    order: -1,
    workload: {
      ...workload,
      arrivals: parseArrivals(plan.arrivals),
      rateRps,
      durationS: DURATION_S,
      requests: Math.max(50, Math.round(rateRps * DURATION_S)),
    },
    estimatedS: DURATION_S + 4,
  };
}

/** The floor of a figure: the farthest end of the intervals of its bias in the floor's trial, of the figures' and of the pairs'. */
export function floorOf(trial: Trial): Floor | null {
  if (trial.truth === null || trial.bias.length === 0) return null;
  const of = (metric: Metric, statistic: Statistic): number | null => {
    const row = trial.bias.find((b) => b.metric === metric && b.statistic === statistic);
    if (row === undefined || row.queueing_bias_ms === null) return null;
    const { queueing_bias_ms: figures, within_low_ms, within_high_ms } = row;
    const { paired_ms: pairs, paired_low_ms, paired_high_ms } = row;
    const ends = [figures, within_low_ms, within_high_ms, pairs, paired_low_ms, paired_high_ms].filter(
      (end) => end !== null,
    );
    return Math.max(...ends.map(Math.abs));
  };
  return {
    how: `our own client in blocking mode at ${trial.workload.rateRps} requests/s, ${trial.truth.requests} requests, just before the audit; the far end of each 95 % interval`,
    rate_rps: trial.workload.rateRps,
    requests: trial.truth.requests,
    floor_ms: Object.fromEntries(
      METRICS.map((metric) => [
        metric,
        Object.fromEntries(STATISTICS.map((statistic) => [statistic, of(metric, statistic)])),
      ]),
    ) as Floor['floor_ms'],
    clock_resolution_ns: trial.truth.target.clockResolutionNs,
  };
}
