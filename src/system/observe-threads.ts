/**
 * The observer's eye on threads: CPU time, time ready without a core and number of turns on a core of each, from schedstat in
 * nanoseconds, or where the kernel has none from stat in ticks of 10 ms.
 */
import { closeSync, openSync } from 'node:fs';
import type { ThreadSeries } from './observation.ts';
import { type ProcessId, type ProcessStat, type Procfs, parseStat } from './procfs.ts';

export const TICK_NS = 10_000_000;
/** A thread that uses no CPU is read less and less often, at least every so many samples … */
const IDLE_EVERY = 10;
/** … but at once when its process used more than this beyond what those read account for: its total is in ticks, and read first. */
const UNEXPLAINED_NS = 2 * TICK_NS;
/** Names are reread every so many samples: threads get theirs after their start. */
const RENAME_EVERY = 10;
/** Beyond this many threads, schedstat is opened anew for each reading. */
const MAX_OPEN_FILES = 1000;

interface Times {
  readonly cpuNs: number;
  readonly waitNs: number;
  readonly turns: number;
}

interface Thread {
  readonly pid: number;
  /** Of its process. */
  readonly startTicks: number;
  readonly tid: number;
  name: string;
  readonly first: number;
  readonly cpuNs: number[];
  readonly waitNs: number[];
  readonly turns: number[];
  /** schedstat, kept open; null where it is not. */
  fd: number | null;
  /** Readings in a row that found no CPU time used, and the sample that reads next. */
  idle: number;
  due: number;
}

/** What of a process's CPU time its threads account for, since all of them were read last. */
interface Account {
  readonly startTicks: number;
  totalNs: number;
  readNs: number;
}

export class ThreadTable {
  private readonly procfs: Procfs;
  /** The kernel keeps schedstat. */
  readonly exact: boolean;
  private readonly threads = new Map<number, Thread>();
  private readonly ended: Thread[] = [];
  private readonly accounts = new Map<number, Account>();
  private openFiles = 0;

  constructor(procfs: Procfs) {
    this.procfs = procfs;
    // A kernel without it has no such file, or one that says 0 of a process that runs: this one.
    this.exact = Number.parseInt(procfs.readShort('self/schedstat') ?? '', 10) > 0;
  }

  /** Reads those of a process's threads that are due. `tids`: all that it has. */
  sample(process: ProcessStat, tids: readonly number[], index: number, thorough: boolean): void {
    const { pid, startTicks } = process;
    const totalNs = process.cpuTicks * TICK_NS;
    let account = this.accounts.get(pid);
    if (account?.startTicks !== startTicks) {
      account = { startTicks, totalNs, readNs: 0 };
      this.accounts.set(pid, account);
    }
    const idle: Thread[] = [];
    for (const tid of tids) {
      let thread = this.threads.get(tid);
      if (thread !== undefined && thread.startTicks !== startTicks) {
        this.end(thread);
        thread = undefined;
      }
      if (thread !== undefined && index < thread.due && !thorough) idle.push(thread);
      else account.readNs += this.read(process, tid, thread, index);
    }
    if (totalNs - account.totalNs - account.readNs > UNEXPLAINED_NS) {
      for (const thread of idle) this.read(process, thread.tid, thread, index);
      idle.length = 0;
    }
    if (idle.length === 0) {
      account.totalNs = totalNs;
      account.readNs = 0;
    }
    for (const thread of idle) {
      push(thread, {
        cpuNs: thread.cpuNs.at(-1)!,
        waitNs: thread.waitNs.at(-1)!,
        turns: thread.turns.at(-1)!,
      });
    }
  }

  /** CPU time that it used since it was read last, ns. */
  private read(process: ProcessId, tid: number, known: Thread | undefined, index: number): number {
    let thread = known;
    let times = thread === undefined ? null : this.timesOf(thread);
    if (thread === undefined || times === null) {
      if (thread !== undefined) this.end(thread); // its id may be a new thread's by now
      thread = this.begin(process, tid, index);
      times = this.timesOf(thread);
      if (times === null) {
        this.end(thread, false);
        return 0;
      }
    }
    const before = thread.cpuNs.at(-1) ?? 0;
    thread.idle = times.cpuNs === before ? Math.min(thread.idle + 1, IDLE_EVERY) : 0;
    thread.due = index + Math.max(1, thread.idle);
    push(thread, times);
    if (thread.idle === 0 && (index - thread.first) % RENAME_EVERY === 1) {
      thread.name = this.nameOf(thread) ?? thread.name;
    }
    return times.cpuNs - before;
  }

  /** Those of none of these ids have ended. */
  keepOnly(tids: ReadonlySet<number>): void {
    for (const thread of this.threads.values()) if (!tids.has(thread.tid)) this.end(thread);
  }

  /** All that was seen. Closes what is open: the last call. */
  finish(): ThreadSeries[] {
    for (const thread of this.threads.values()) this.end(thread);
    return this.ended.map(({ pid, startTicks, tid, name, first, cpuNs, waitNs, turns }) => ({
      pid,
      startTicks,
      tid,
      name,
      first,
      cpuNs,
      waitNs: this.exact ? waitNs : null,
      turns: this.exact ? turns : null,
    }));
  }

  private begin({ pid, startTicks }: ProcessId, tid: number, index: number): Thread {
    const thread: Thread = {
      pid,
      startTicks,
      tid,
      name: '',
      first: index,
      cpuNs: [],
      waitNs: [],
      turns: [],
      fd: null,
      idle: 0,
      due: 0,
    };
    if (this.exact && this.openFiles < MAX_OPEN_FILES) {
      try {
        thread.fd = openSync(`${this.procfs.root}/${pid}/task/${tid}/schedstat`, 'r');
        this.openFiles += 1;
      } catch {
        // it has ended, as the first reading will tell
      }
    }
    thread.name = this.nameOf(thread) ?? '';
    this.threads.set(tid, thread);
    return thread;
  }

  private end(thread: Thread, keep = true): void {
    if (thread.fd !== null) {
      closeSync(thread.fd);
      this.openFiles -= 1;
    }
    this.threads.delete(thread.tid);
    if (keep) this.ended.push(thread);
  }

  private nameOf(thread: Thread): string | null {
    return this.procfs.readShort(`${thread.pid}/task/${thread.tid}/comm`)?.trimEnd() ?? null;
  }

  /** Since the thread's start; null when it has ended. */
  private timesOf(thread: Thread): Times | null {
    const folder = `${thread.pid}/task/${thread.tid}`;
    if (!this.exact) {
      const stat = parseStat(this.procfs.readShort(`${folder}/stat`) ?? '');
      return stat === null ? null : { cpuNs: stat.cpuTicks * TICK_NS, waitNs: 0, turns: 0 };
    }
    const text =
      thread.fd === null ? this.procfs.readShort(`${folder}/schedstat`) : this.procfs.readOpen(thread.fd);
    const [cpuNs, waitNs, turns] = (text ?? '').split(' ').map(Number);
    return text !== null && cpuNs! >= 0 ? { cpuNs: cpuNs!, waitNs: waitNs ?? 0, turns: turns ?? 0 } : null;
  }
}

function push(thread: Thread, { cpuNs, waitNs, turns }: Times): void {
  thread.cpuNs.push(cpuNs);
  thread.waitNs.push(waitNs);
  thread.turns.push(turns);
}
