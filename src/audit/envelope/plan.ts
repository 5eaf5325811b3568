/** How long a trial at each rate is, how many trials a client gets, and what the whole may take. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import { rampFor } from '../../measure/envelope/search.ts';
import type { Tolerance } from '../../measure/envelope/tolerance.ts';
import type { Workload } from '../../measure/workload.ts';
import type { AuditPlan } from '../document.ts';
import { type PlannedTrial, trialEstimateS, workloadOf } from '../plan.ts';
import type { EnvelopeSearch } from './document.ts';

/**
 * Requests with which a quantile nearly always has an interval: a p99 needs 368 independent ones, and of 500 the trial's own estimate says so
 * less than half of the time, of 800 nineteen times in twenty.
 */
const REQUESTS_FOR = { mean: 100, p50: 100, p90: 200, p99: 800 } as const;
/** No trial is made longer than this for them. */
const LONGEST_S = 25;
/** The floor's two runs, and the machine's own. */
export const FLOOR_S = 35;
/** Fewer trials tell nothing of both sides. */
const FEWEST_TRIALS = 4;

type Cost = Pick<ClientFacts, 'startupS' | 'teardownS'>;

/** Seconds of load of a trial at this rate: as asked for, or at a low rate as long as the tolerance's quantiles need. */
export function trialDurationS(rateRps: number, durationS: number, { bias }: Tolerance): number {
  const needed = Math.max(0, ...bias.map(({ statistic }) => REQUESTS_FOR[statistic]));
  return Math.max(durationS, Math.min(LONGEST_S, Math.ceil(needed / rateRps)));
}

/** The workload of a client's n-th trial at a rate: all clients meet the same draws. */
export function envelopeWorkload(
  plan: AuditPlan,
  tolerance: Tolerance,
  rateRps: number,
  nth: number,
  client: string,
): Workload {
  const durationS = trialDurationS(rateRps, plan.duration_s, tolerance);
  return workloadOf({ ...plan, duration_s: durationS }, rateRps, nth, client);
}

/** A trial of the search as the audit's machinery runs it. */
export function plannedTrial(
  plan: AuditPlan,
  tolerance: Tolerance,
  cost: Cost,
  of: { readonly client: string; readonly rateRps: number; readonly nth: number; readonly order: number },
): PlannedTrial {
  const { client, rateRps, nth, order } = of;
  const workload = envelopeWorkload(plan, tolerance, rateRps, nth, client);
  return {
    id: `${client}-${String(rateRps).replace('.', 'p')}rps-t${nth}`,
    client,
    rateRps,
    repetition: nth,
    order,
    workload,
    estimatedS: trialEstimateS(workload.durationS, cost),
  };
}

/** Seconds of a client's whole budget of trials: the first ones, at low rates, are longer. */
export function clientEstimateS(
  search: Pick<EnvelopeSearch, 'from_rps' | 'to_rps' | 'ramp' | 'tolerances'>,
  trials: number,
  durationS: number,
  cost: Cost,
): number {
  let sum = 0;
  let rate = search.from_rps;
  for (let i = 0; i < trials; i++) {
    sum += trialEstimateS(trialDurationS(rate, durationS, search.tolerances), cost);
    rate = Math.min(rate * search.ramp, search.to_rps);
  }
  return sum;
}

/** The least that a search takes, s: the floor, where a bias is judged, and one trial of each client. */
export const leastS = (
  search: Pick<EnvelopeSearch, 'from_rps' | 'to_rps' | 'ramp' | 'tolerances'>,
  durationS: number,
  costs: readonly Cost[],
): number =>
  costs.reduce(
    (sum, cost) => sum + clientEstimateS(search, 1, durationS, cost),
    search.tolerances.bias.length === 0 ? 0 : FLOOR_S,
  );

/** The trials a client that fit into `timeS` for all of them together. */
export function trialsWithin(
  timeS: number,
  search: Pick<EnvelopeSearch, 'from_rps' | 'to_rps' | 'ratio' | 'confirm' | 'tolerances'>,
  durationS: number,
  costs: readonly Cost[],
): number {
  for (let trials = 200; trials > FEWEST_TRIALS; trials--) {
    const ramp = rampFor(search, trials);
    const sum = costs.reduce(
      (total, cost) => total + clientEstimateS({ ...search, ramp }, trials, durationS, cost),
      FLOOR_S,
    );
    if (sum <= timeS) return trials;
  }
  return FEWEST_TRIALS;
}
