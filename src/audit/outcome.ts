/** How a trial ended, from what the client, its parser and the ledger say. Pure. */
import type { ClientFacts, ClientReport, Parsed } from '../../adapters/contract.ts';
import type { Definitions } from '../measure/definitions.ts';
import type { Workload } from '../measure/workload.ts';
import type { LaunchResult } from '../system/launcher.ts';
import { isSendRate } from './client-side.ts';
import type { ClientSide, Outcome, Truth } from './document.ts';

/** A client that sends or completes less than this share of what was asked is saturated. */
export const HOLDS_RATE = 0.98;

/**
 * How far the rate of n arrivals of a random process strays from its parameter by chance alone: three standard errors of the mean
 * gap, 3·cv/√n. 0 for a constant process.
 */
export function chanceTolerance(workload: Workload): number {
  const cv2 =
    workload.arrivals.kind === 'gamma' ? workload.arrivals.cv2 : workload.arrivals.kind === 'poisson' ? 1 : 0;
  return 3 * Math.sqrt(cv2 / workload.requests);
}

/** A stall of a shared machine makes answers at the edge of a short trial late; beyond this share it is a backlog, not a stall. */
const MOST_BY_STALLS = 0.05;

/**
 * How far the rate of completions strays from that of arrivals because answers take unequal times: the spread of E2E (p99 − p50) at either
 * end of the middle nine tenths of the trial. All of it where it was injected; of what came on top, no more than stalls can make.
 */
export function spreadTolerance(truth: Truth, workload: Workload): number {
  const middleMs = 0.9 * workload.durationS * 1000;
  const share = ({ p50_ms, p99_ms }: Truth['realized']['e2e']) =>
    p50_ms === null || p99_ms === null ? 0 : (p99_ms - p50_ms) / middleMs;
  const injected = share(truth.injected.e2e);
  return injected + Math.min(MOST_BY_STALLS, Math.max(0, share(truth.realized.e2e) - injected));
}

/** The workload as a client understands it: some have no equal gaps, and send a Poisson process for "constant". */
export const asUnderstood = (workload: Workload, facts: Pick<ClientFacts, 'constantIsPoisson'>): Workload =>
  facts.constantIsPoisson && workload.arrivals.kind === 'constant'
    ? { ...workload, arrivals: { kind: 'poisson' } }
    : workload;

export interface Ending {
  readonly client: LaunchResult;
  readonly parsed: Parsed;
  readonly targetFailure: string | null;
  readonly truth: Truth | null;
  /** In the place of the truth where the target keeps no ledger. */
  readonly clientSide?: { readonly account: ClientSide; readonly definitions: Definitions } | null;
  readonly workload: Workload;
}

/** Where the requests of a client went that sent no completion; '' where it sent one, or nothing at all. */
function astray(truth: Truth | null): string {
  const unserved = truth === null || truth.requests > 0 ? [] : (truth.target.unserved ?? []);
  if (unserved.length === 0) return '';
  const went = unserved.slice(0, 3).map(({ asked, requests }) => `${requests} went to ${asked}`);
  return `none of its requests was a completion: ${went.join(', ')}, which the target does not serve (it has POST /v1/chat/completions and /v1/completions)`;
}

const rate = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

export function judgeOutcome(ending: Ending): Outcome {
  const { client, parsed, truth, workload } = ending;
  if (client.end === 'notStarted')
    return {
      kind: 'clientFailed',
      reason: `it could not be started: ${client.failure ?? 'no reason given'}`,
    };
  if (client.end === 'timedOut')
    return {
      kind: 'timedOut',
      reason: `it was still running at its deadline of ${Math.round((client.endedNs - client.startedNs) / 1e9)} s and was ended`,
    };
  if (client.end === 'interrupted') return { kind: 'incomplete', reason: 'the audit was interrupted' };
  if (ending.targetFailure !== null) return { kind: 'incomplete', reason: ending.targetFailure };
  if (truth !== null && truth.target.lostRows > 0)
    return {
      kind: 'incomplete',
      reason: `the client sent ${truth.target.lostRows} requests more than the ledger had room for`,
    };
  const elsewhere = astray(truth);
  const besides = elsewhere === '' ? '' : `; ${elsewhere}`;
  if (parsed.state === 'failed') return { kind: 'clientFailed', reason: parsed.reason + besides };
  if (parsed.state === 'unparsable') {
    const died = client.signal !== null ? ` (it was ended by ${client.signal})` : '';
    return { kind: died === '' ? 'unparsable' : 'clientFailed', reason: parsed.reason + died + besides };
  }
  if (ending.clientSide != null) return judgeByClient(ending.clientSide, parsed.report, workload);
  if (truth === null || truth.requests === 0)
    return { kind: 'clientFailed', reason: elsewhere || 'no request of it reached the target' };
  if (parsed.report.completed === 0)
    return { kind: 'clientFailed', reason: 'it reports that none of its requests was completed' };
  const enough = HOLDS_RATE - chanceTolerance(workload);
  const sent = truth.requests / workload.requests;
  if (sent < HOLDS_RATE)
    return {
      kind: 'saturated',
      reason: `${truth.requests} of ${workload.requests} requests reached the target`,
    };
  if (truth.rate_fidelity !== null && truth.rate_fidelity < enough)
    return {
      kind: 'saturated',
      reason: `it sent ${rate(truth.arrival_rps!)} of ${rate(workload.rateRps)} requests/s`,
    };
  if (
    truth.completion_rps !== null &&
    truth.completion_rps / workload.rateRps < enough - spreadTolerance(truth, workload)
  )
    return {
      kind: 'saturated',
      reason: `${rate(truth.completion_rps)} of ${rate(workload.rateRps)} requests/s were completed`,
    };
  return { kind: 'measured' };
}

/**
 * The same by the client's own account. Only what that account can carry is judged: a printed rate with the drain in it says nothing of
 * the sending, and who is at fault for slow completions cannot be told.
 */
function judgeByClient(
  { account, definitions }: { readonly account: ClientSide; readonly definitions: Definitions },
  report: ClientReport,
  workload: Workload,
): Outcome {
  if (report.completed === 0)
    return { kind: 'clientFailed', reason: 'it reports that none of its requests was completed' };
  const enough = HOLDS_RATE - chanceTolerance(workload);
  const { requests, rate_fidelity: fidelity, sent_rps: sent, completion_rps: done } = account;
  const says = account.source === 'records' ? 'by its own records' : 'by its own account';
  if (requests !== null && requests / workload.requests < HOLDS_RATE)
    return {
      kind: 'saturated',
      reason: `${requests} of ${workload.requests} requests were sent, ${says}`,
    };
  const sends = account.source === 'records' || (account.source === 'printed' && isSendRate(definitions));
  if (sends && fidelity !== null && fidelity < enough)
    return {
      kind: 'saturated',
      reason: `it sent ${rate(sent!)} of ${rate(workload.rateRps)} requests/s, ${says}`,
    };
  if (done !== null && done / workload.rateRps < enough)
    return {
      kind: 'saturated',
      reason: `${rate(done)} of ${rate(workload.rateRps)} requests/s were completed, ${says}: the server's limit or the client's`,
    };
  return { kind: 'measured' };
}
