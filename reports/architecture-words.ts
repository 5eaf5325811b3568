/** A client's architecture as /proc showed it, in words. Pure. */
import type { ClientFacts } from '../adapters/contract.ts';
import type { Observed, Trial } from '../src/audit/document.ts';
import { percent, rate } from './format.ts';
import { count, grouped, oneLine } from './text.ts';

/** Runtimes whose busy thread is an event loop; of the others' threads that cannot be said. */
const LOOPS: readonly ClientFacts['runtime'][] = ['asyncio', 'uvloop', 'gevent', 'libuv'];

type Runtime = ClientFacts['runtime'];

const ofACore = (share: number | null): string => `${percent(share)}\u00a0%`;

/** `one event loop at 98 % of a core`, `3 threads of 1 process at 40–52 % of a core`. null: not observed so far, or by an older Tare. */
export function carriersWords(
  observed: Observed,
  runtime: Runtime,
  name: (observed: Observed) => string = threadName,
): string | null {
  const { architecture, threads } = observed;
  if (architecture === null || architecture === undefined) return null;
  const { shape, carriers, carrier_processes: processes } = architecture;
  const isLoop = LOOPS.includes(runtime);
  const thing = isLoop ? 'event loop' : 'thread';
  if (shape === 'idle') return 'no thread at work for more than 1\u00a0% of the time';
  if (shape === 'one')
    return `one ${thing} at ${ofACore(observed.busiest_thread_share)} of a core (${name(observed)})`;
  // One at work and many that each did too little to count: together more than a fifth.
  if (shape === 'uneven' && carriers === 1)
    return `one ${thing} at ${ofACore(observed.busiest_thread_share)} of a core (${name(observed)}), ${percent(architecture.carried_share)}\u00a0% of the work, the rest over threads below 1\u00a0% each`;
  if (shape === 'uneven')
    return `the work unevenly over ${count(carriers, 'thread')}, the busiest at ${ofACore(observed.busiest_thread_share)} of a core (${name(observed)})`;
  const shares = threads.slice(0, carriers).map(({ share }) => share);
  // Only the eight busiest are kept.
  const [least, most] = [shares.at(-1) ?? null, shares[0] ?? null].map(percent);
  const range =
    shares.length < carriers
      ? `at most ${most}\u00a0%`
      : `at ${least === most ? '' : `${least}–`}${most}\u00a0%`;
  // Loops of one process would be threads of it, and look like any other.
  return processes === carriers
    ? `${count(carriers, thing)}, one a process, ${range} of a core each`
    : `${count(carriers, 'thread')} of ${count(processes, 'process', 'processes')}, ${range} of a core each`;
}

const bareName = (observed: Observed): string => oneLine(observed.busiest_thread ?? '') || 'without a name';

function threadName(observed: Observed): string {
  const pid = observed.threads[0]?.pid;
  return `${bareName(observed)}${pid === undefined ? '' : `, pid ${pid}`}`;
}

function usageWords(observed: Observed): string[] {
  const { sockets_peak: sockets, switches_per_s: switches, system_part: system } = observed;
  const { open_files_nearest: files } = observed;
  return [
    ...(typeof sockets === 'number' ? [count(sockets, 'socket')] : []),
    ...(files === null || files === undefined
      ? []
      : [`${grouped(files.open)} of ${grouped(files.limit)} descriptors`]),
    ...(typeof switches === 'number' ? [`${rate(Math.round(switches))} context switches/s`] : []),
    ...(typeof system === 'number'
      ? [`${percent(Math.round(system * 100) / 100)}\u00a0% of its CPU time in the kernel`]
      : []),
  ];
}

/**
 * All that was seen of a client in one trial: `1 process, 3 threads, 1 of them busy; one event loop at 98 % of a core (python3, pid 9);
 * 812 sockets, …`.
 */
export function architectureWords(observed: Observed, runtime: Runtime): string {
  const who = carriersWords(observed, runtime) ?? busiestWords(observed);
  return [countWords(observed), who, usageWords(observed).join(', ')].filter(Boolean).join('; ');
}

function countWords(observed: Observed): string {
  const { processes_peak: processes, threads_peak: threads, threads_working: working } = observed;
  const busy = typeof working === 'number' ? `, ${grouped(working)} at work` : '';
  return `${count(processes, 'process', 'processes')}, ${count(threads, 'thread')}${busy}`;
}

const busiestWords = (observed: Observed): string =>
  observed.busiest_thread_share === null
    ? 'CPU time not read'
    : `busiest thread at ${ofACore(observed.busiest_thread_share)} of a core (${threadName(observed)})`;

/** The trial of a client's that shows most: the one whose busiest thread was busiest. null: none was observed. */
export function busiestTrial(trials: readonly Trial[]): Trial | null {
  const share = (trial: Trial): number => trial.observed?.busiest_thread_share ?? -1;
  const observed = trials.filter((trial) => trial.observed !== null);
  return observed.reduce<Trial | null>(
    (most, trial) => (most === null || share(trial) > share(most) ? trial : most),
    null,
  );
}

/** Who works in a client's busiest trial, with its rate; without what `architectureWords` adds, so that it fits under a chart. */
export function observedBriefly(trials: readonly Trial[], runtime: Runtime): string {
  const trial = busiestTrial(trials);
  if (trial === null) return 'not observed';
  const at = `at ${rate(trial.workload.rateRps)} requests/s`;
  return `${countWords(trial.observed!)}; ${carriersWords(trial.observed!, runtime, bareName) ?? busiestWords(trial.observed!)} ${at}`;
}

/** As `architectureWords`, of a client's busiest trial, with its rate. */
export function observedWords(trials: readonly Trial[], runtime: Runtime): string {
  const trial = busiestTrial(trials);
  return trial === null
    ? 'not observed'
    : `${architectureWords(trial.observed!, runtime)}; at its busiest, ${rate(trial.workload.rateRps)} requests/s asked`;
}
