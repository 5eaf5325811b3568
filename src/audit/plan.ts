/** The plan of an audit: which client at which rate, how often, for how long, in which order; and what it will take. */
import type { ClientFacts } from '../../adapters/contract.ts';
import { mixSeed, uniform } from '../measure/random.ts';
import { parseArrivals, type Workload } from '../measure/workload.ts';
import { UserError } from '../system/user-error.ts';
import type { AuditPlan } from './document.ts';

/** What a trial costs beside the client itself: starting and warming the target, writing and reading the ledger. */
export const TRIAL_OVERHEAD_S = 2.5;

/** A plan above this is not begun without `--yes`. */
export const LONG_PLAN_S = 3600;

/** The default budget: the whole audit in under five minutes, with room for the floor run and the report. */
export const DEFAULT_BUDGET_S = 255;

/** The default ladder: geometric, from where every client is at ease to where one event loop is not. */
export const DEFAULT_RATES = [100, 250, 640, 1600] as const;

/** A cell of the matrix with its place in the order. */
export interface PlannedTrial {
  readonly id: string;
  readonly client: string;
  readonly rateRps: number;
  readonly repetition: number;
  readonly order: number;
  readonly workload: Workload;
  readonly estimatedS: number;
}

export type Costs = ReadonlyMap<string, Pick<ClientFacts, 'startupS' | 'teardownS'>>;

/** Seconds that one trial is expected to take. */
export function trialEstimateS(durationS: number, cost: Pick<ClientFacts, 'startupS' | 'teardownS'>): number {
  return cost.startupS + durationS + cost.teardownS + TRIAL_OVERHEAD_S;
}

/** Seconds that the whole matrix is expected to take. */
export function planEstimateS(
  clients: readonly string[],
  costs: Costs,
  rates: number,
  repetitions: number,
  durationS: number,
): number {
  return clients.reduce(
    (sum, client) => sum + rates * repetitions * trialEstimateS(durationS, costs.get(client)!),
    0,
  );
}

/** Rates, repetitions and seconds a trial that fit a budget. */
export interface Fit {
  readonly rates: readonly number[];
  readonly repetitions: number;
  readonly durationS: number;
}

/**
 * The best default matrix within the budget. Three repetitions come first, since an interval between trials needs them; then the
 * number of rates; then the length of a trial. Where not even the smallest fits, the smallest is taken, and the estimate says so.
 */
export function fitToBudget(clients: readonly string[], costs: Costs, budgetS: number): Fit {
  const ends = [DEFAULT_RATES[0], DEFAULT_RATES[2], DEFAULT_RATES[3]];
  const choices: Fit[] = [
    { rates: DEFAULT_RATES, repetitions: 3, durationS: 4 },
    { rates: DEFAULT_RATES, repetitions: 3, durationS: 3 },
    { rates: ends, repetitions: 3, durationS: 3 },
    { rates: DEFAULT_RATES, repetitions: 1, durationS: 4 },
    { rates: ends, repetitions: 1, durationS: 4 },
    { rates: ends, repetitions: 1, durationS: 3 },
    { rates: ends.slice(1), repetitions: 1, durationS: 3 },
  ];
  const fits = (fit: Fit) =>
    planEstimateS(clients, costs, fit.rates.length, fit.repetitions, fit.durationS) <= budgetS;
  return choices.find(fits) ?? choices.at(-1)!;
}

/** A name for files: the rate without a dot. */
const rateName = (rate: number): string => String(rate).replace('.', 'p');

/**
 * The trials of a plan, in the order they run: a random permutation within each repetition, so that drift of the machine falls
 * on all alike and an audit that is cut short has whole repetitions.
 */
export function orderTrials(plan: AuditPlan, costs: Costs): PlannedTrial[] {
  const trials: PlannedTrial[] = [];
  for (let repetition = 1; repetition <= plan.repetitions; repetition++) {
    const cells = plan.clients.flatMap((client) => plan.rates_rps.map((rateRps) => ({ client, rateRps })));
    const u = uniform(plan.seed, 0x0bde, repetition);
    for (let i = cells.length - 1; i > 0; i--) {
      const j = Math.floor(u() * (i + 1));
      [cells[i], cells[j]] = [cells[j]!, cells[i]!];
    }
    for (const { client, rateRps } of cells) {
      trials.push({
        id: `${client}-${rateName(rateRps)}rps-r${repetition}`,
        client,
        rateRps,
        repetition,
        order: trials.length,
        workload: workloadOf(plan, rateRps, repetition, client),
        estimatedS: trialEstimateS(plan.duration_s, costs.get(client)!),
      });
    }
  }
  return trials;
}

/** The workload of a cell. Its seed is the same for every client, so that all of them meet the same draws. */
export function workloadOf(plan: AuditPlan, rateRps: number, repetition: number, client: string): Workload {
  return {
    rateRps,
    requests: Math.max(1, Math.round(rateRps * plan.duration_s)),
    durationS: plan.duration_s,
    arrivals: parseArrivals(plan.arrivals_otherwise[client] ?? plan.arrivals),
    promptTokens: plan.prompt_tokens,
    outputTokens: plan.output_tokens,
    latency: plan.latency,
    seed: mixSeed(plan.seed, Math.round(rateRps * 1000), repetition) >>> 0,
  };
}

/** Bytes that the results may take: a ledger row and a client's own record a request, each with its tokens, and the reports. */
export function planBytes(plan: AuditPlan): number {
  const requests = plan.rates_rps.reduce((sum, rate) => sum + rate * plan.duration_s, 0);
  const perRequest = 2 * (400 + 24 * plan.output_tokens);
  return requests * plan.repetitions * plan.clients.length * perRequest + 10e6;
}

/** Refuses a plan that would take very long, unless the user said yes. */
export function checkLength(estimatedS: number, yes: boolean): void {
  if (estimatedS <= LONG_PLAN_S || yes) return;
  const hours = (estimatedS / 3600).toFixed(1);
  throw new UserError(
    `this plan would take about ${hours} hours. Add --yes to run it all the same, or ask for fewer rates, repetitions or seconds.`,
  );
}
