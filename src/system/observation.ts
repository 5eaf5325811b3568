/** What /proc said of a program over time: the columns that the observer fills and observed-figures.ts reads. */

/** Something that was seen at consecutive samples from `first` on; it has ended where they stop. */
export interface Series {
  readonly pid: number;
  /** Start of its process, clock ticks since boot: with the pid, what tells processes apart. */
  readonly startTicks: number;
  readonly name: string;
  /** Index of the sample that saw it first. */
  readonly first: number;
  /** CPU time since its start, ns. */
  readonly cpuNs: readonly number[];
}

export interface ThreadSeries extends Series {
  readonly tid: number;
  /** Time that it was ready to run and had no core, ns; null where it is not known. */
  readonly waitNs: readonly number[] | null;
  /** How often it was put on a core; null where it is not known. */
  readonly turns: readonly number[] | null;
}

/** A whole process: with the time of threads that ended, in steps of 10 ms. */
export interface ProcessSeries extends Series {
  /** The part of its CPU time that was spent in the kernel, ns. */
  readonly systemNs: readonly number[];
  /** Its parent when it was seen last. */
  readonly parent: number;
  /** CPU time of its children that have ended and that it has waited for, ns. */
  readonly reapedNs: readonly number[];
}

/** Of the whole machine, a value a sample; null where /proc does not say. */
export interface MachineColumns {
  /** Stolen and total CPU time, clock ticks, all CPUs. */
  readonly stealTicks: readonly (number | null)[];
  readonly totalTicks: readonly (number | null)[];
  /** CPU time of programs and of the kernel for them, without interrupts, clock ticks. */
  readonly workTicks: readonly (number | null)[];
  /** TCP connections in TIME_WAIT. */
  readonly timeWaits: readonly (number | null)[];
  readonly memoryAvailableMb: readonly (number | null)[];
  readonly swapUsedMb: readonly (number | null)[];
  /** Time that some program waited for memory since boot, ns (PSI). */
  readonly memoryStallNs: readonly (number | null)[];
  /** CPU time of this process, ns. */
  readonly harnessNs: readonly number[];
}

export interface Observation extends MachineColumns {
  /** CLOCK_MONOTONIC of each sample; all other columns are as long. */
  readonly atNs: readonly number[];
  readonly processes: readonly number[];
  readonly threads: readonly number[];
  /** Resident memory of all its processes; what they share counts in each. */
  readonly rssMb: readonly number[];
  /** File descriptors; null where they may not be seen. */
  readonly files: readonly ({
    readonly open: number;
    readonly sockets: number;
    /** Of the process that is nearest to its own limit. */
    readonly nearest: { readonly open: number; readonly limit: number } | null;
  } | null)[];
  /** CPU time that the samples themselves took so far, ns. */
  readonly observerNs: readonly number[];
  readonly threadSeries: readonly ThreadSeries[];
  readonly processSeries: readonly ProcessSeries[];
  /** Steps of the threads' CPU times, ns: 1 (schedstat) or 10,000,000 (stat). */
  readonly resolutionNs: number;
}
