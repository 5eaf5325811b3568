/**
 * The floor: the smallest bias that this machine can tell from zero now. It is what our own client, blocking in the kernel between
 * events as every event-driven client does, shows at a low rate: loopback both ways, waking of idle cores, the clock. A client's
 * bias below it cannot be told from the machine's.
 */
import { METRICS, type Metric, STATISTICS, type Statistic } from '../measure/metrics.ts';
import { parseArrivals, type Workload } from '../measure/workload.ts';
import type { AgainstItself, AuditPlan, Floor, Trial } from './document.ts';
import type { PlannedTrial } from './plan.ts';
import { isFromArrival, wireAgreementMs } from './wire.ts';

/** The plan's lowest rate, within these: idle machines wake up more slowly, and a quantile needs its requests in bearable time. */
const RATE_RPS = { least: 100, most: 200 } as const;
/** Each run's. Its p99 has an interval then. */
const REQUESTS = 1000;

/**
 * Above this TTFT median or p99, ms, it was not the machine's floor that was measured but a disturbance: waking up and loopback take
 * tenths of a millisecond, and a stall of a shared machine some milliseconds.
 */
const DISTURBED_MS = { p50: 3, p99: 15 } as const;

/** Its trials' folders among those of the plan. */
export const FLOOR_IDS = ['floor', 'floor-again'] as const;

/** How often each of its trials is tried. */
export const FLOOR_TRIES = 3;

/** Whether a trial of the floor can be believed, by these figures of it. */
export const isPlausible = (trial: Trial, by: FloorMethod['believedBy'] = FULL_FLOOR.believedBy): boolean =>
  trial.truth !== null &&
  trial.bias.length > 0 &&
  by.every((name) => {
    const { points, ends } = valuesOf(trial, 'ttft', name);
    return points.length > 0 && Math.max(...[...points, ...ends].map(Math.abs)) <= DISTURBED_MS[name];
  });

/** How the floor is measured: an audit's takes its time, a gate's must be quick. */
export interface FloorMethod {
  /** Of each run, at this rate. */
  readonly requestsAt: (rateRps: number) => number;
  readonly tries: number;
  /** Whether the machine alone is measured as well. */
  readonly machine: boolean;
  /** A run is a disturbance, and not the floor, where one of these of its TTFT is too large. */
  readonly believedBy: readonly ('p50' | 'p99')[];
}

export const FULL_FLOOR: FloorMethod = {
  requestsAt: () => REQUESTS,
  tries: FLOOR_TRIES,
  machine: true,
  believedBy: ['p50', 'p99'],
};

/** Four seconds a run; at a low rate as many as a p99 needs an interval's worth of by its worst tenth. */
export const QUICK_FLOOR: FloorMethod = {
  requestsAt: (rateRps) => Math.max(500, Math.round(4 * rateRps)),
  tries: 2,
  machine: false,
  // The p99 of a few seconds is a stall or two. Where it is large, so is its floor, below which no tail is called beyond what is allowed; and a repetition
  // that was disturbed itself is left out on its own evidence.
  believedBy: ['p50'],
};

/** The floor's trial: the plan's own workload, at a low rate. */
export function floorTrial(
  plan: AuditPlan,
  workload: Workload,
  client: string,
  id: (typeof FLOOR_IDS)[number] = FLOOR_IDS[0],
  { requestsAt }: Pick<FloorMethod, 'requestsAt'> = FULL_FLOOR,
): PlannedTrial {
  const rateRps = Math.min(RATE_RPS.most, Math.max(RATE_RPS.least, Math.min(...plan.rates_rps)));
  const requests = requestsAt(rateRps);
  const durationS = requests / rateRps;
  return {
    id,
    client,
    rateRps,
    repetition: 0,
    order: -1,
    workload: {
      ...workload,
      arrivals: parseArrivals(plan.arrivals),
      rateRps,
      durationS,
      requests,
    },
    estimatedS: durationS + 4,
  };
}

/** A figure's bias in a trial, of the figures and of the pairs, with the ends of their intervals where there are any. */
function valuesOf(
  trial: Trial,
  metric: Metric,
  statistic: Statistic,
): { points: number[]; ends: number[]; worst: number[] } {
  const row = trial.bias.find((b) => b.metric === metric && b.statistic === statistic);
  if (row === undefined || row.queueing_bias_ms === null) return { points: [], ends: [], worst: [] };
  const there = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
  return {
    points: there([row.queueing_bias_ms, row.paired_ms]),
    ends: there([row.within_low_ms, row.within_high_ms, row.paired_low_ms, row.paired_high_ms]),
    worst: there([row.paired_worst_tenth_ms ?? null]),
  };
}

/** The same client twice must show no difference: what it differs by all the same, and whether the two runs' intervals allow it. */
function compared(first: Trial, second: Trial): AgainstItself {
  let figures = 0;
  let beyond = 0;
  let most: AgainstItself['most'] = null;
  for (const metric of METRICS)
    for (const statistic of STATISTICS) {
      const [a, b] = [first, second].map((trial) =>
        trial.bias.find((row) => row.metric === metric && row.statistic === statistic),
      );
      const { paired_ms: x, paired_low_ms: low, paired_high_ms: high } = a ?? {};
      const { paired_ms: y, paired_low_ms: lowAgain, paired_high_ms: highAgain } = b ?? {};
      if (x == null || y == null || low == null || high == null || lowAgain == null || highAgain == null)
        continue;
      figures++;
      const allowed = Math.hypot(high - low, highAgain - lowAgain) / 2;
      if (Math.abs(y - x) <= allowed) continue;
      beyond++;
      if (most === null || Math.abs(y - x) > Math.abs(most.difference_ms))
        most = { metric, statistic, difference_ms: y - x, allowed_ms: allowed };
    }
  return { figures, beyond, most };
}

/**
 * The floor of a figure: the farthest end of the intervals of its bias in two runs of the same client (A/A), so that what the two differ by
 * lies within it. null where a run has no figures.
 */
export function floorOf(first: Trial, second: Trial): Floor | null {
  const trials = [first, second];
  if (trials.some(({ truth, bias }) => truth === null || bias.length === 0)) return null;
  const wire = wireApart(trials);
  const of = (metric: Metric, statistic: Statistic): number | null => {
    const values = trials.map((trial) => valuesOf(trial, metric, statistic));
    const ends = values.flatMap((one) => one.ends);
    // Without an interval a figure is a guess, and a floor of guesses would be too low: then it is what the worst tenth of a run had.
    if (ends.length === 0) ends.push(...values.flatMap((one) => one.worst));
    if (values.some(({ points }) => points.length === 0) || ends.length === 0) return null;
    // Where there is a capture, the floor holds what ledger and kernel differ by.
    const apart = isFromArrival(metric) && wire !== null ? [wire[statistic === 'p99' ? 'p99' : 'p50']] : [];
    const points = values.flatMap((one) => one.points);
    return Math.max(...[...points, ...ends].map(Math.abs), ...apart);
  };
  const requests = first.truth!.requests + second.truth!.requests;
  const steal = trials.map(({ observed }) => observed?.steal_share ?? null).filter((share) => share !== null);
  return {
    how: `our own client in blocking mode at ${first.workload.rateRps} requests/s, twice, ${requests} requests, just before the audit; the far end of the 95 % intervals of both, or where there is none the worst tenth of a run${wire === null ? '' : ', or how far ledger and wire are apart'}`,
    rate_rps: first.workload.rateRps,
    requests,
    floor_ms: Object.fromEntries(
      METRICS.map((metric) => [
        metric,
        Object.fromEntries(STATISTICS.map((statistic) => [statistic, of(metric, statistic)])),
      ]),
    ) as Floor['floor_ms'],
    clock_resolution_ns: Math.max(...trials.map(({ truth }) => truth!.target.clockResolutionNs)),
    target_lateness_p50_ms: worst(trials.map(({ truth }) => truth!.lateness_p50_ms)),
    target_lateness_p99_ms: worst(trials.map(({ truth }) => truth!.lateness_p99_ms)),
    steal_share: worst(steal),
    wire_apart_ms: wire,
    against_itself: compared(first, second),
  };
}

function wireApart(trials: readonly Trial[]): { p50: number; p99: number } | null {
  const apart = trials.map(wireAgreementMs).filter((one) => one !== null);
  if (apart.length === 0) return null;
  return { p50: Math.max(...apart.map(({ p50 }) => p50)), p99: Math.max(...apart.map(({ p99 }) => p99)) };
}

const worst = (values: readonly (number | null)[]): number | null => {
  const there = values.filter((value) => value !== null);
  return there.length === 0 ? null : Math.max(...there);
};
