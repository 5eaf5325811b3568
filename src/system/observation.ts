/** What /proc said of a program over time, and the figures of any part of that time. Pure: sampling is in observer.ts. */

/** CPU time of one thread or process, at consecutive samples from `first` on; it has ended where they stop. */
export interface CpuSeries {
  readonly pid: number;
  /** Start of its process, clock ticks since boot: with the pid, what tells processes apart. */
  readonly startTicks: number;
  /** The thread's id; the pid again for a whole process. */
  readonly tid: number;
  readonly name: string;
  /** Index of the sample that saw it first. */
  readonly first: number;
  /** CPU time since its start, ns. */
  readonly cpuNs: readonly number[];
  /** Time that it was ready to run and had no core, ns; null where it is not known. */
  readonly waitNs: readonly number[] | null;
}

export interface Observation {
  /** CLOCK_MONOTONIC of each sample; all other columns are as long. */
  readonly atNs: readonly number[];
  readonly processes: readonly number[];
  readonly threads: readonly number[];
  /** Resident memory of all its processes; what they share counts in each. */
  readonly rssMb: readonly number[];
  /** The machine's stolen and total CPU time, clock ticks; null where /proc/stat has none. */
  readonly stealTicks: readonly (number | null)[];
  readonly totalTicks: readonly (number | null)[];
  readonly threadSeries: readonly CpuSeries[];
  /** Totals of whole processes: with the time of threads that ended, in steps of 10 ms. */
  readonly processSeries: readonly CpuSeries[];
  /** Steps of the threads' CPU times, ns: 1 (schedstat) or 10,000,000 (stat). */
  readonly resolutionNs: number;
}

export interface ObservedFigures {
  readonly processes_peak: number;
  readonly threads_peak: number;
  readonly rss_peak_mb: number;
  /** CPU seconds per second. */
  readonly busiest_thread_share: number | null;
  readonly busiest_thread: string | null;
  readonly cpu_share: number | null;
  /** Busiest first, at most eight. */
  readonly threads: readonly {
    readonly pid: number;
    readonly tid: number;
    readonly name: string;
    readonly share: number;
    /** Time that it was ready to run and had no core, of all time; null where the kernel does not say. */
    readonly wait_share: number | null;
  }[];
  /** The greatest of these: what a client waited for cores, whoever had them. */
  readonly core_wait_share: number | null;
  /** Of all CPUs of the machine. */
  readonly steal_share: number | null;
  /** The samples that the figures are of, those nearest to the instants asked for. CLOCK_MONOTONIC. */
  readonly covered_from_ns: number;
  readonly covered_to_ns: number;
}

const LISTED_THREADS = 8;
/** A process's total is in steps of this; only beyond two of them does it tell more than the sum of its threads. */
const TICK_NS = 10_000_000;

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

/** CPU time used between two samples. Before it was seen it had used none; after its end it keeps its last value. */
function between(first: number, values: readonly number[], from: number, to: number): number {
  const at = (sample: number): number => {
    const index = sample - first;
    return index < 0 ? 0 : values[Math.min(index, values.length - 1)]!;
  };
  return Math.max(0, at(to) - at(from));
}

const usedNs = (series: CpuSeries, from: number, to: number): number =>
  between(series.first, series.cpuNs, from, to);

const peak = (column: readonly number[], from: number, to: number): number => {
  let highest = 0;
  for (let i = from; i <= to; i++) highest = Math.max(highest, column[i]!);
  return highest;
};

/** CPU time of all: for each process the sum of its threads, or its own total where threads have come and gone unseen. */
function totalNs(observation: Observation, from: number, to: number): number {
  const key = ({ pid, startTicks }: CpuSeries): string => `${pid} ${startTicks}`;
  const byProcess = new Map<string, number>();
  for (const series of observation.threadSeries) {
    byProcess.set(key(series), (byProcess.get(key(series)) ?? 0) + usedNs(series, from, to));
  }
  let total = 0;
  for (const series of observation.processSeries) {
    const threads = byProcess.get(key(series)) ?? 0;
    const own = usedNs(series, from, to);
    total += own - threads > 2 * TICK_NS ? own : threads;
  }
  return total;
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
  const seconds = atNs[to]! - atNs[from]!;
  const share = (used: number): number => used / seconds;
  const threads =
    seconds > 0
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
  const stolen = difference(observation.stealTicks, from, to);
  const ticks = difference(observation.totalTicks, from, to);
  return {
    processes_peak: peak(observation.processes, from, to),
    threads_peak: peak(observation.threads, from, to),
    rss_peak_mb: peak(observation.rssMb, from, to),
    busiest_thread_share: threads[0]?.share ?? null,
    busiest_thread: threads[0]?.name ?? null,
    cpu_share: seconds > 0 ? share(totalNs(observation, from, to)) : null,
    threads: threads.slice(0, LISTED_THREADS),
    core_wait_share: waits.length === 0 ? null : Math.max(...waits),
    steal_share: stolen === null || ticks === null || ticks <= 0 ? null : Math.max(0, stolen) / ticks,
    covered_from_ns: atNs[from]!,
    covered_to_ns: atNs[to]!,
  };
}

function difference(column: readonly (number | null)[], from: number, to: number): number | null {
  const before = column[from] ?? null;
  const after = column[to] ?? null;
  return before === null || after === null ? null : after - before;
}
