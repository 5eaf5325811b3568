/** How an audit measured, in the words of a claim's file. Pure. */
import type { AuditDocument, ClientEntry, Trial } from '../../audit/document.ts';
import { rateWords } from '../../measure/definition-words.ts';
import { clientDecides } from '../evidence/client-decides.ts';
import { versionOf } from '../evidence/conditions.ts';
import { hostWords } from '../evidence/hosts.ts';

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const most = (values: readonly (number | null | undefined)[]): number | null => {
  const there = values.filter((value) => value != null);
  return there.length === 0 ? null : Math.max(...there);
};

/** Processes that carried load: one by its facts, as told, or as seen in /proc; null: not known. */
export function processesOf(
  document: AuditDocument,
  { facts }: ClientEntry,
  trials: readonly Trial[],
): number | null {
  if (facts.processes === '1') return 1;
  return (
    document.plan.workers ?? most(trials.map(({ observed }) => observed?.architecture?.carrier_processes))
  );
}

export const SOURCE = {
  usage: 'usage',
  clientTokenizer: 'client tokenizer',
  requested: 'requested',
  chunks: 'chunks',
} as const;

/** null where a claim's file has no word for it. */
export function arrivalsOf({ facts }: ClientEntry, trials: readonly Trial[]): string | null {
  const kind = trials[0]?.workload.arrivals.kind ?? null;
  if (!facts.openLoop) return 'closed loop';
  if (kind === 'constant' && facts.constantIsPoisson === true) return 'poisson';
  return kind === 'gamma' ? null : kind;
}

export function loopOf(entry: ClientEntry, processes: number | null): 'single' | 'multi' | null {
  const decided = clientDecides(entry.facts).loop;
  if (decided !== null || processes === null) return decided;
  return processes > 1 ? 'multi' : clientDecides({ ...entry.facts, processes: '1' }).loop;
}

export function warmUpOf(trials: readonly Trial[]): string | null {
  const counts = trials.map(({ truth }) => truth?.warmup_requests ?? null);
  if (counts.some((count) => count === null)) return null;
  const [least, greatest] = [Math.min(...(counts as number[])), Math.max(...(counts as number[]))];
  if (greatest === 0) return 'none';
  return `${least === greatest ? greatest : `${least} to ${greatest}`} ${greatest === 1 ? 'request' : 'requests'} before those that count`;
}

/** An audit's figures are over all of a run: said by the one answer that checks take for it, and in words beside it. */
export const WINDOW = 'whole run';
export const windowOf = ({ facts }: ClientEntry): string =>
  `Window: all requests of the run, from the first sent to the last answered, ramp and drain inside; printed rate: ${rateWords(facts.definitions)}.`;

/** Share of requests that the client counts as completed; null where it counts none. */
export function successOf(trials: readonly Trial[]): number | null {
  let [completed, all] = [0, 0];
  for (const { reported } of trials) {
    if (reported?.completed == null || reported.failed === null) return null;
    completed += reported.completed;
    all += reported.completed + reported.failed;
  }
  return all === 0 ? null : (100 * completed) / all;
}

export function clientHostOf({ host, plan }: AuditDocument): string {
  const pinned =
    plan.client_cpus === null
      ? 'not pinned'
      : `client on CPU ${plan.client_cpus.join(', ')}, target on CPU ${plan.target_cpus?.join(', ') ?? 'any'}`;
  const where = plan.target.remote ? 'the target is another machine' : 'the target runs on the same machine';
  return `${hostWords(host)}, kernel ${host.kernel}; ${where}; ${pinned}`;
}

export function clientLoadOf(trials: readonly Trial[]): string | null {
  const busiest = most(trials.map(({ observed }) => observed?.busiest_thread_share));
  if (busiest === null) return null;
  const steal = most(trials.map(({ observed }) => observed?.steal_share));
  return `the client's busiest thread took up to ${percent(busiest)} of a core${steal === null ? '' : `; up to ${(100 * steal).toFixed(1)} % of CPU time was taken by the hypervisor`}`;
}

/** The other clients of the audit at the same rates: how far their means of E2E are apart from this one's. */
export function secondClientOf(
  document: AuditDocument,
  client: string,
  rates: readonly number[],
): { readonly within: string; readonly how: string } | null {
  const e2e = (of: string, rate: number): number | null =>
    document.findings.find(
      (one) => one.client === of && one.rate_rps === rate && one.metric === 'e2e' && one.statistic === 'mean',
    )?.reported_ms ?? null;
  let most = 0;
  const said = document.clients.flatMap((entry) => {
    if (entry.name === client || entry.found.state !== 'found') return [];
    const apart = rates.map((rate) => {
      const [ours, theirs] = [e2e(client, rate), e2e(entry.name, rate)];
      return ours === null || theirs === null ? null : Math.abs(theirs - ours) / ours;
    });
    if (apart.length === 0 || apart.some((share) => share === null)) return [];
    const share = Math.max(...(apart as number[]));
    most = Math.max(most, share);
    return [`${entry.name} ${versionOf(entry)}: mean E2E at most ${(100 * share).toFixed(1)} % apart`];
  });
  if (said.length === 0) return null;
  // Rounded up: it is a bound.
  const within = `${(Math.ceil(1000 * most - 1e-9) / 10).toFixed(1)} %`;
  return { within, how: `on the same target at the same rates, ${said.join('; ')}` };
}
