/** One run that carries many probes: each request of it is judged by the client's own record of it. */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import { NO_SLACK, type Slack } from '../../measure/probe/figures.ts';
import { mixSeed, uniform } from '../../measure/random.ts';
import type { ProbeLedgerRow } from '../../truth/probe-ledger.ts';
import type { ProbeCell } from './document.ts';
import { cellOf, judgeRows, PLAIN, type Scripted } from './judge-rows.ts';
import { type LaunchPlan, launchProbes, type ProbeContext, type ProbeLaunch } from './launch.ts';
import { recordFigures, slackOf, without } from './observed.ts';
import { onTime } from './on-time.ts';
import { recordRows } from './record-rows.ts';
import { slowestS } from './slowest.ts';

/** Requests of each probe: of three the median stands one that the machine disturbed. */
const EACH = 3;
const RATE_RPS = 40;
/** Requests of the base profile in each round: what the client adds to those it adds to all. */
const PLAIN_EACH = 3;
/** Random stream of the order of probes. */
const SLOT_STREAM = 31;

/** Every probe once a round, each round in an order of its own, so that no probe always follows the same one on a connection. */
export function mixed(ids: readonly string[], seed: number, rateRps = RATE_RPS): string[] {
  const u = uniform(seed, SLOT_STREAM);
  const slots: string[] = [];
  for (let round = 0; round < EACH; round++) {
    const left = [...ids, ...new Array<string>(PLAIN_EACH).fill(PLAIN)];
    while (left.length > 0) slots.push(...left.splice(Math.floor(u() * left.length), 1));
  }
  // Whole seconds, since some clients are given a duration.
  while (slots.length % rateRps !== 0) slots.push(PLAIN);
  return slots;
}

export interface Together {
  readonly launch: ProbeLaunch;
  /** Cells that could be judged; null: the run left no figures. */
  readonly cells: readonly ProbeCell[] | null;
  /** What the client adds to the base profile here; null: not known. */
  readonly slack: Slack | null;
  /** Probes of it that could not be judged, and why. */
  readonly reason: string | null;
}

/** Launches the client once for all of these probes. */
export async function probeTogether(
  adapter: Adapter,
  found: Found,
  probes: readonly Scripted[],
  probeOf: (id: string) => Scripted,
  id: string,
  context: ProbeContext,
): Promise<Together> {
  const slots = mixed(
    probes.map((probe) => probe.id),
    mixSeed(context.seed, Number(id.split('-')[1])) >>> 0,
  );
  const plan: LaunchPlan = {
    id,
    slots,
    requests: slots.length,
    rateRps: RATE_RPS,
    outputTokens: 50,
    slowestS: slowestS(probes),
  };
  const launch = await launchProbes(adapter, found, plan, context);
  const { report, ledger } = launch;
  if (report === null || ledger === null)
    return { launch, cells: null, slack: null, reason: launch.run.failure };
  if (report.records === null)
    return { launch, cells: [], slack: null, reason: 'it keeps no record of single requests' };
  const rows = ledger.requests.filter((row) => !row.warm_up);
  const { record: kept, reason } = recordRows(report, rows, adapter.facts);
  const punctual = kept.map((one, r) => (one ? onTime(one, rows[r]!) : one));
  // What its records hold are gaps, whatever its summary calls ITL.
  const facts = { definitions: { ...adapter.facts.definitions, itl: 'chunkGaps' as const } };
  const slack = slackOf(
    rows.flatMap((row, r) => (row.probe === PLAIN || row.probe === null ? [punctual[r] ?? null] : [])),
    facts.definitions,
  );
  const record = punctual.map((one) => (one && slack !== null ? without(one, slack) : one));
  const cells = probes.flatMap((probe): ProbeCell[] => {
    const mine = [...rows.keys()].filter((r) => rows[r]!.probe === probe.id);
    const records = mine.map((r) => record[r]);
    if (mine.length === 0 || records.includes(undefined)) return [];
    const got = recordFigures(
      records as ((typeof records)[number] & (object | null))[],
      adapter.facts.definitions,
    );
    const judged = judgeRows(
      probe,
      mine.map((r) => rows[r]!) as ProbeLedgerRow[],
      probeOf,
      facts,
      got,
      () => 'records',
      NO_SLACK,
    );
    return [cellOf(probe, adapter.name, judged, { requests: mine.length, run: id })];
  });
  return { launch, cells, slack, reason };
}
