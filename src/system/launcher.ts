/**
 * Running another program under control: the contract. Each program gets a process group (a session) of its own, a deadline, and files
 * for its output; nothing that it started is left when `done` settles.
 */

export interface LaunchSpec {
  /** Program and arguments. Never through a shell. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to the environment that every program gets; null removes a variable. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Where its output goes, truncated beyond `maxOutputBytes` each (default 16 MiB; the rest is counted and dropped). */
  readonly stdoutFile: string;
  readonly stderrFile: string;
  readonly maxOutputBytes?: number;
  /** After this it is ended: SIGTERM, then SIGKILL after `graceMs` (default 2,000). */
  readonly deadlineMs: number;
  readonly graceMs?: number;
  /** Cores to run on, by `taskset`; ignored with a note where there is none. */
  readonly cpus?: readonly number[];
}

/** What became of a launched program. The reason that ended it is told apart from its exit code. */
export interface LaunchResult {
  readonly end: 'exited' | 'timedOut' | 'interrupted' | 'notStarted';
  /** Exit code; null when a signal ended it or it was not started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it was not started (ENOENT, EACCES …), in words. */
  readonly failure: string | null;
  /** CLOCK_MONOTONIC. */
  readonly startedNs: number;
  readonly endedNs: number;
  /** Processes of its group that were still there after it ended and had to be killed. */
  readonly leftovers: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly truncated: boolean;
  /** The exact command line as run (with taskset), one string a word. */
  readonly argv: readonly string[];
  /** In words, for the report: not pinned after all, output that could not be kept, a process that would not end. */
  readonly notes?: readonly string[];
}

export interface Running {
  readonly pid: number | null;
  readonly done: Promise<LaunchResult>;
  /**
   * Ends the whole group now (SIGTERM, then SIGKILL after the grace); `done` then says `interrupted`. Called again, it does not wait for
   * the grace. Harmless once it has ended.
   */
  stop(): void;
}

export interface Launcher {
  launch(spec: LaunchSpec): Running;
}
