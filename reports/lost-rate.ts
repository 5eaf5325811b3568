/**
 * Which clients lose the rate, the first of them first, and why: from the CPU time of their threads, and from what their own source says of
 * loops, schedule and connections. Pure.
 */
import type { Fact } from '../adapters/contract.ts';
import type { AuditDocument, ClientEntry, Observed } from '../src/audit/document.ts';
import { meanOf } from '../src/measure/bias.ts';
import { percent, rate } from './format.ts';
import { ratesOf, rateVerdict } from './rate-verdict.ts';
import { hasTruth } from './target-words.ts';
import { oneLine } from './text.ts';

/** A thread with this share of a core has no time left: an event loop that waits at all is below it. */
const BUSY = 0.9;
/** From here on requests wait in it for some of the time: the CPU has a part in what is lost. */
const NEARLY_BUSY = 0.7;
/** A thread that was ready this share of the time and had no core was kept from its work. */
const KEPT_WAITING = 0.2;
/** Beyond this share of its cores a client's threads wait for one another, too: whose fault it is cannot be told from outside. */
const OWN_PART = 0.4;

/**
 * `busy loop`: one thread takes a core. `busy cores`: its threads together take the cores that it may run on. `crowded`: its threads waited for
 * cores that they took a good part of themselves. `no core`: a thread was ready to run and got none, though the client took little of them. `closed loop`: it waits for answers before it sends. `schedule`: no thread is
 * busy or kept from a core, so it does not send when it should. `unknown`: /proc told nothing.
 */
export type LossCause =
  | 'busy loop'
  | 'busy cores'
  | 'crowded'
  | 'no core'
  | 'closed loop'
  | 'schedule'
  | 'unknown';

export interface LostRate {
  readonly client: string;
  /** The lowest rate that it lost. */
  readonly rate_rps: number;
  readonly achieved_rps: number | null;
  readonly fidelity: number | null;
  readonly cause: LossCause;
  readonly busiest_thread: string | null;
  /** Of one core. */
  readonly busiest_thread_share: number | null;
  /** CPU seconds per second of all its threads. */
  readonly cpu_share: number | null;
  /** The greatest share of the time that a thread was ready to run and had no core. */
  readonly core_wait_share: number | null;
  /** What its source says that explains it. */
  readonly evidence: readonly Fact[];
  /** Begins with the client's name. */
  readonly sentence: string;
}

const ABOUT: Readonly<Record<LossCause, readonly Fact['about'][]>> = {
  'busy loop': ['connections', 'tokenSource'],
  'busy cores': ['processes', 'tokenSource'],
  crowded: ['processes'],
  'no core': ['schedule'],
  'closed loop': ['schedule'],
  schedule: ['schedule'],
  unknown: [],
};

function causeOf(
  entry: ClientEntry,
  busiest: number | null,
  cpu: number | null,
  waited: number | null,
  cores: number,
): LossCause {
  if (busiest === null) return 'unknown';
  if (busiest >= BUSY) return 'busy loop';
  if (cpu !== null && cpu >= BUSY * cores) return 'busy cores';
  if (waited !== null && waited >= KEPT_WAITING)
    return cpu !== null && cpu >= OWN_PART * cores ? 'crowded' : 'no core';
  return entry.facts.openLoop ? 'schedule' : 'closed loop';
}

function because(
  cause: LossCause,
  entry: ClientEntry,
  thread: string,
  cpu: string,
  waited: string,
  cores: number,
  nearlyBusy: boolean,
): string {
  const { runtime, processes } = entry.facts;
  switch (cause) {
    case 'busy loop':
      return `its busiest thread (${thread}) has no time left: ${runtime}, processes: ${oneLine(processes)}`;
    case 'busy cores':
      return `all its threads together take ${cpu} of the ${cores === 1 ? 'one core' : `${cores} cores`} that it may run on (busiest: ${thread}); processes: ${oneLine(processes)}`;
    case 'crowded':
      return `a thread of it was ready to run and had no core for ${waited} of the time, and all its threads together took ${cpu} of ${cores === 1 ? 'one core' : `${cores} cores`}: they stand in one another's way, or other work in theirs; processes: ${oneLine(processes)}`;
    case 'no core':
      return `a thread of it was ready to run and had no core for ${waited} of the time, though all of them took only ${cpu} of ${cores === 1 ? 'one core' : `${cores} cores`}: something else had it (busiest: ${thread})`;
    case 'closed loop':
      return `no thread of it is busy (busiest: ${thread}): it is a closed loop, in which a late answer puts off the next request`;
    case 'schedule':
      return nearlyBusy
        ? `its busiest thread (${thread}) is near its limit, and it does not send when it should either`
        : `no thread of it is busy (busiest: ${thread}), so it is not the CPU: it does not send when it should`;
    case 'unknown':
      return 'why is not known: its threads were not seen';
  }
}

/** Why a client falls behind at a rate, from what was seen of it there and what its source says. */
export interface Explained
  extends Pick<
    LostRate,
    'cause' | 'busiest_thread' | 'busiest_thread_share' | 'cpu_share' | 'core_wait_share' | 'evidence'
  > {
  /** The end of a sentence: `its busiest thread (…) has no time left: …`. */
  readonly because: string;
}

/** Explains what a client does at `rate_rps`, by all trials there. */
export function explainAt(document: AuditDocument, entry: ClientEntry, rate_rps: number): Explained {
  const observed = document.trials
    .filter((trial) => trial.client === entry.name && trial.workload.rateRps === rate_rps)
    .flatMap((trial): Observed[] => (trial.observed === null ? [] : [trial.observed]));
  const busiest = meanOf(observed.map((one) => one.busiest_thread_share));
  const cpu = meanOf(observed.map((one) => one.cpu_share));
  const name = observed.find((one) => one.busiest_thread !== null)?.busiest_thread ?? null;
  const cores = document.plan.client_cpus?.length ?? document.host.allowed_cpus.length;
  const waited = meanOf(observed.map((one) => one.core_wait_share));
  const cause = causeOf(entry, busiest, cpu, waited, cores);
  const evidence = entry.facts.evidence.filter((fact) => ABOUT[cause].includes(fact.about));
  const thread = `${oneLine(name ?? 'unnamed')}, ${percent(busiest)} % of a core`;
  return {
    cause,
    busiest_thread: name,
    busiest_thread_share: busiest,
    cpu_share: cpu,
    core_wait_share: waited,
    evidence,
    because: because(
      cause,
      entry,
      thread,
      `${percent(cpu)} %`,
      `${percent(waited)} %`,
      cores,
      (busiest ?? 0) >= NEARLY_BUSY,
    ),
  };
}

function lostBy(document: AuditDocument, entry: ClientEntry): LostRate | null {
  const lost = ratesOf(document)
    .map((r) => rateVerdict(document, entry.name, r))
    .find((verdict) => verdict.state === 'saturated');
  if (lost === undefined) return null;
  const { because: why, ...explained } = explainAt(document, entry, lost.rate_rps);
  const sent = lost.rate?.achieved_rps ?? null;
  const short = sent !== null && (lost.rate?.fidelity ?? 1) < 0.98;
  return {
    client: entry.name,
    rate_rps: lost.rate_rps,
    achieved_rps: sent,
    fidelity: lost.rate?.fidelity ?? null,
    ...explained,
    sentence:
      `${oneLine(entry.name)} at ${rate(lost.rate_rps)}/s (${short ? `${rate(sent)}/s arrived` : oneLine(lost.reason)}): ` +
      `${why}.`,
  };
}

/**
 * Every client that lost a rate, those first that lost a lower one, and among them those that lost more of it. None without a ledger:
 * whose fault it is, the client's or the server's, cannot be told then.
 */
export const lostRates = (document: AuditDocument): LostRate[] =>
  (hasTruth(document) ? document.clients : [])
    .map((entry) => lostBy(document, entry))
    .filter((lost) => lost !== null)
    .sort((a, b) => a.rate_rps - b.rate_rps || (a.fidelity ?? 0) - (b.fidelity ?? 0));
