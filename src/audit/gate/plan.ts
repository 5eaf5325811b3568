/** What fits into the time of a gate: how long a repetition is, and what the next round takes. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import type { Tolerance } from '../../measure/envelope/tolerance.ts';
import { FIRST_LOOK } from '../../measure/gate/looks.ts';
import { UserError } from '../../system/user-error.ts';
import type { AuditPlan } from '../document.ts';
import { QUICK_FLOOR } from '../floor.ts';
import { type PlannedTrial, trialEstimateS, workloadOf } from '../plan.ts';

/** Under a minute with what is done before and after it. */
export const DEFAULT_BUDGET_S = 57;

/** As an envelope's, but for TTFT p99: what a shared machine's stalls do to the tail of a few seconds is more than 5 ms. */
export const DEFAULT_GATE_TOLERANCE = 'rate=2%,ttft_p50=1ms,ttft_p99=10ms,e2e_p99=10%+2ms';

/** Seconds of load that a repetition may have, the longest that fits. */
const DURATIONS_S = [5, 4, 3, 2] as const;

/** Starting, rehearsal and end of our own client, in each of the floor's two runs. */
const FLOOR_RUN_S = 7;

/** Kept free where the gate chooses the length itself: a slow start or a floor that takes longer must not cost the third repetition. */
const MARGIN_S = 3;

type Cost = Pick<ClientFacts, 'startupS' | 'teardownS'>;

/** A client at a rate; `against`: it runs beside the others as what they are compared with, and is not judged. */
export interface Planned {
  readonly client: string;
  readonly rate_rps: number;
  readonly isAgainst: boolean;
}

/** What runs: the gated clients and the one that they are compared with, at every rate. */
export const cellsOf = (
  clients: readonly string[],
  rates: readonly number[],
  against: string | null,
): Planned[] =>
  rates.flatMap((rate_rps) => [
    ...clients.map((client) => ({ client, rate_rps, isAgainst: false })),
    ...(against === null ? [] : [{ client: against, rate_rps, isAgainst: true }]),
  ]);

/** Seconds of the floor; 0 where no bias is judged. */
export function floorEstimateS(rates: readonly number[], tolerance: Tolerance): number {
  if (tolerance.bias.length === 0) return 0;
  const rate = Math.min(200, Math.max(100, Math.min(...rates)));
  return 2 * (QUICK_FLOOR.requestsAt(rate) / rate + FLOOR_RUN_S);
}

/** Seconds of the floor and the repetitions that a verdict needs at least. */
export const leastS = (
  cells: readonly Planned[],
  costs: ReadonlyMap<string, Cost>,
  tolerance: Tolerance,
  durationS: number,
): number =>
  floorEstimateS(
    cells.map(({ rate_rps }) => rate_rps),
    tolerance,
  ) +
  FIRST_LOOK * cells.reduce((sum, { client }) => sum + trialEstimateS(durationS, costs.get(client)!), 0);

/** The longest repetition of which three fit into the budget, or the one asked for. @throws UserError where not even the shortest fits. */
export function durationWithin(
  budgetS: number,
  asked: number | null,
  cells: readonly Planned[],
  costs: ReadonlyMap<string, Cost>,
  tolerance: Tolerance,
): number {
  const choices = asked === null ? DURATIONS_S : [asked];
  const margin = asked === null ? MARGIN_S : 0;
  const fits =
    choices.find((durationS) => leastS(cells, costs, tolerance, durationS) <= budgetS - margin) ??
    choices.findLast((durationS) => leastS(cells, costs, tolerance, durationS) <= budgetS);
  if (fits !== undefined) return fits;
  const least = Math.ceil(leastS(cells, costs, tolerance, choices.at(-1)!));
  throw new UserError(
    `--budget ${budgetS}s is not enough: ${tolerance.bias.length === 0 ? '' : 'the floor and '}${FIRST_LOOK} repetitions of ${choices.at(-1)} s of ${cells.length === 1 ? 'the client' : `${cells.length} clients and rates`} take about ${least} s.\nGive it --budget ${least + 5}s, or fewer clients and rates${asked === null ? '' : ', or a shorter --duration'}.`,
  );
}

/** The n-th repetition, from 1. All clients meet the same draws. */
export function plannedRepetition(
  plan: AuditPlan,
  cell: Planned,
  cost: Cost,
  nth: number,
  order: number,
): PlannedTrial {
  const { client, rate_rps: rateRps } = cell;
  return {
    id: `${client}-${String(rateRps).replace('.', 'p')}rps-r${nth}`,
    client,
    rateRps,
    repetition: nth,
    order,
    workload: workloadOf(plan, rateRps, nth, client),
    estimatedS: trialEstimateS(plan.duration_s, cost),
  };
}
