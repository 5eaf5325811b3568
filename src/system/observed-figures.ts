/** The figures of any part of the time that a program was observed. Pure. */
import { type Architecture, architectureOf, working } from '../measure/architecture.ts';
import type { Observation, ProcessSeries, Series } from './observation.ts';
import { TICK_NS } from './observe-threads.ts';
import { unseenChildrenNs } from './unseen-children.ts';

/** Fields that audits before 0.2 lack are optional. Shares are seconds per second, of one core unless said otherwise. */
export interface ObservedFigures {
  readonly processes_peak: number;
  readonly threads_peak: number;
  readonly rss_peak_mb: number;
  /** CPU seconds per second. */
  readonly busiest_thread_share: number | null;
  readonly busiest_thread: string | null;
  readonly cpu_share: number | null;
  /** Part of the CPU time that was spent in the kernel. */
  readonly system_part?: number | null;
  /** Busiest first, at most eight. */
  readonly threads: readonly {
    readonly pid: number;
    readonly tid: number;
    readonly name: string;
    readonly share: number;
    /** Time that it was ready to run and had no core, of all time; null where the kernel does not say. */
    readonly wait_share: number | null;
  }[];
  /** Threads that used more than 1 % of a core, and the processes that they are of. */
  readonly threads_working?: number | null;
  readonly processes_working?: number | null;
  readonly architecture?: Architecture | null;
  /** How often a thread of it was put on a core, a second (context switches to it). */
  readonly switches_per_s?: number | null;
  /** The greatest `wait_share`: what a client waited for cores, whoever had them. */
  readonly core_wait_share: number | null;
  /** Of all its processes together. */
  readonly open_files_peak?: number | null;
  readonly sockets_peak?: number | null;
  /** Of the process that came nearest to its own limit (RLIMIT_NOFILE). */
  readonly open_files_nearest?: { readonly open: number; readonly limit: number } | null;
  /** Of all CPUs of the machine. */
  readonly steal_share: number | null;
  readonly machine?: ObservedMachine | null;
  /** The samples that the figures are of, those nearest to the instants asked for. CLOCK_MONOTONIC. */
  readonly covered_from_ns: number;
  readonly covered_to_ns: number;
}

/** What the whole machine did meanwhile; null where /proc does not say. */
export interface ObservedMachine {
  /** CPU seconds per second of all programs together. */
  readonly work_share: number | null;
  /** CPU seconds per second of Tare's own process, and of its watching the client alone. */
  readonly harness_share: number | null;
  readonly observer_share: number | null;
  readonly time_wait_peak: number | null;
  readonly memory_available_min_mb: number | null;
  readonly swap_used_from_mb: number | null;
  readonly swap_used_to_mb: number | null;
  /** Part of the time that some program waited for memory. */
  readonly memory_stall_share: number | null;
}

const LISTED_THREADS = 8;

/** Index of the sample nearest to an instant, by bisection. */
function nearest(atNs: readonly number[], instant: number): number {
  let low = 0;
  let high = atNs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atNs[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low > 0 && instant - atNs[low - 1]! <= atNs[low]! - instant ? low - 1 : low;
}

/** What was added between two samples. Before it was seen it had none; after its end it keeps its last value. */
function between(first: number, values: readonly number[], from: number, to: number): number {
  const at = (sample: number): number => {
    const index = sample - first;
    return index < 0 ? 0 : values[Math.min(index, values.length - 1)]!;
  };
  return Math.max(0, at(to) - at(from));
}

const usedNs = (series: Series, from: number, to: number): number =>
  between(series.first, series.cpuNs, from, to);

/** The values of a column between two samples, both with it, without those that are not known. */
const known = <T>(column: readonly (T | null)[], from: number, to: number): T[] =>
  column.slice(from, to + 1).filter((value) => value !== null);

const highest = (column: readonly (number | null)[], from: number, to: number): number | null =>
  known(column, from, to).reduce<number | null>((most, value) => Math.max(most ?? value, value), null);

const lowest = (column: readonly (number | null)[], from: number, to: number): number | null =>
  known(column, from, to).reduce<number | null>((least, value) => Math.min(least ?? value, value), null);

function difference(column: readonly (number | null)[], from: number, to: number): number | null {
  const before = column[from] ?? null;
  const after = column[to] ?? null;
  return before === null || after === null ? null : after - before;
}

/**
 * CPU time of all: for each process the sum of its threads, or its own total where threads have come and gone unseen; and that of children
 * that have.
 */
function totalNs(observation: Observation, from: number, to: number): number {
  const key = ({ pid, startTicks }: Series): string => `${pid} ${startTicks}`;
  const threadsOf = new Map<string, Series[]>();
  for (const series of observation.threadSeries) {
    const known = threadsOf.get(key(series));
    if (known === undefined) threadsOf.set(key(series), [series]);
    else known.push(series);
  }
  const counted = (process: ProcessSeries, since: number, until: number): number => {
    const threads = (threadsOf.get(key(process)) ?? []).reduce(
      (sum, series) => sum + usedNs(series, since, until),
      0,
    );
    const own = usedNs(process, since, until);
    // A process's total is in steps of a tick; only beyond two of them does it tell more than the sum of its threads.
    return own - threads > 2 * TICK_NS ? own : threads;
  };
  const { processSeries } = observation;
  const inLife = (process: ProcessSeries): number => counted(process, -1, observation.atNs.length);
  return (
    processSeries.reduce((sum, process) => sum + counted(process, from, to), 0) +
    unseenChildrenNs(processSeries, inLife, from, to)
  );
}

/** Of the processes' own totals: both are in ticks, so that the part is at most 1. null where none was used. */
function systemPart({ processSeries }: Observation, from: number, to: number): number | null {
  const all = processSeries.reduce((sum, series) => sum + usedNs(series, from, to), 0);
  const system = processSeries.reduce(
    (sum, { first, systemNs }) => sum + between(first, systemNs, from, to),
    0,
  );
  return all === 0 ? null : system / all;
}

function filesBetween(observation: Observation, from: number, to: number) {
  const files = known(observation.files, from, to);
  if (files.length === 0) return { open_files_peak: null, sockets_peak: null, open_files_nearest: null };
  const nearestToLimit = files
    .flatMap(({ nearest: one }) => (one === null ? [] : [one]))
    .reduce<{ open: number; limit: number } | null>(
      (most, one) => (most === null || one.open / one.limit > most.open / most.limit ? one : most),
      null,
    );
  return {
    open_files_peak: Math.max(...files.map(({ open }) => open)),
    sockets_peak: Math.max(...files.map(({ sockets }) => sockets)),
    open_files_nearest: nearestToLimit,
  };
}

function machineBetween(observation: Observation, from: number, to: number): ObservedMachine {
  const ns = observation.atNs[to]! - observation.atNs[from]!;
  const share = (used: number | null): number | null => (used === null || ns <= 0 ? null : used / ns);
  const work = difference(observation.workTicks, from, to);
  return {
    work_share: share(work === null ? null : work * TICK_NS),
    harness_share: share(difference(observation.harnessNs, from, to)),
    observer_share: share(difference(observation.observerNs, from, to)),
    time_wait_peak: highest(observation.timeWaits, from, to),
    memory_available_min_mb: lowest(observation.memoryAvailableMb, from, to),
    swap_used_from_mb: observation.swapUsedMb[from] ?? null,
    swap_used_to_mb: observation.swapUsedMb[to] ?? null,
    memory_stall_share: share(difference(observation.memoryStallNs, from, to)),
  };
}

/**
 * The figures between two instants (CLOCK_MONOTONIC, ns), from the samples nearest to them. Shares are null where both are nearest to
 * the same sample. null when nothing was sampled.
 */
export function summarize(observation: Observation, fromNs: number, toNs: number): ObservedFigures | null {
  const { atNs } = observation;
  if (atNs.length === 0 || !(toNs >= fromNs)) return null;
  const from = nearest(atNs, fromNs);
  const to = nearest(atNs, toNs);
  const ns = atNs[to]! - atNs[from]!;
  const share = (used: number): number => used / ns;
  const threads =
    ns > 0
      ? observation.threadSeries
          .map((series) => ({
            pid: series.pid,
            tid: series.tid,
            name: series.name,
            share: share(usedNs(series, from, to)),
            wait_share: series.waitNs === null ? null : share(between(series.first, series.waitNs, from, to)),
          }))
          .sort((a, b) => b.share - a.share || a.tid - b.tid)
      : [];
  const waits = threads.flatMap(({ wait_share }) => (wait_share === null ? [] : [wait_share]));
  const turns = observation.threadSeries.map((series) =>
    series.turns === null ? null : between(series.first, series.turns, from, to),
  );
  const stolen = difference(observation.stealTicks, from, to);
  const ticks = difference(observation.totalTicks, from, to);
  const busy = working(threads);
  return {
    processes_peak: highest(observation.processes, from, to) ?? 0,
    threads_peak: highest(observation.threads, from, to) ?? 0,
    rss_peak_mb: highest(observation.rssMb, from, to) ?? 0,
    busiest_thread_share: threads[0]?.share ?? null,
    busiest_thread: threads[0]?.name ?? null,
    cpu_share: ns > 0 ? share(totalNs(observation, from, to)) : null,
    system_part: ns > 0 ? systemPart(observation, from, to) : null,
    threads: threads.slice(0, LISTED_THREADS),
    threads_working: ns > 0 ? busy.threads : null,
    processes_working: ns > 0 ? busy.processes : null,
    architecture: ns > 0 ? architectureOf(threads) : null,
    switches_per_s:
      ns > 0 && turns.length > 0 && turns.every((count) => count !== null)
        ? (turns.reduce((sum, count) => sum + count, 0) / ns) * 1e9
        : null,
    core_wait_share: waits.length === 0 ? null : Math.max(...waits),
    ...filesBetween(observation, from, to),
    steal_share: stolen === null || ticks === null || ticks <= 0 ? null : Math.max(0, stolen) / ticks,
    machine: machineBetween(observation, from, to),
    covered_from_ns: atNs[from]!,
    covered_to_ns: atNs[to]!,
  };
}
