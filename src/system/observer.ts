/**
 * Watches a launched program from outside, in /proc: CPU time of each thread of each of its processes, memory, counts. Where the kernel
 * gives schedstat, CPU times are in nanoseconds; otherwise in ticks of 10 ms.
 */
import { closeSync, openSync } from 'node:fs';
import { type Clock, monotonicClock } from './clock.ts';
import { Members } from './members.ts';
import type { Observation } from './observation.ts';
import { type ProcessStat, Procfs, parseStat } from './procfs.ts';
import { MARKER_VARIABLE } from './trial-marker.ts';

const EVERY_MS = 100;
const TICK_NS = 10_000_000;
/** New processes are looked for at every third sample: listing /proc costs more than all else. None of their CPU time is lost. */
const LOOK_EVERY = 3;
/** A process's threads are listed again when their number changes, and every so many samples. */
const LIST_EVERY = 5;
/** A thread that uses no CPU is read less and less often, at least every so many samples. */
const IDLE_EVERY = 4;
/** Names are reread every so many samples: threads get theirs after their start. */
const RENAME_EVERY = 10;
/** Beyond this many threads, schedstat is opened anew for each reading. */
const MAX_OPEN_FILES = 1000;

export interface ObserveOptions {
  readonly everyMs?: number;
  /** Another root than /proc, for tests. */
  readonly procRoot?: string;
  readonly clock?: Clock;
}

interface Thread {
  readonly pid: number;
  /** Of its process. */
  readonly startTicks: number;
  readonly tid: number;
  name: string;
  readonly first: number;
  readonly cpuNs: number[];
  /** Time that it was ready to run and had no core; empty where the kernel gives no schedstat. */
  readonly waitNs: number[];
  /** schedstat, kept open; null where it is not. */
  fd: number | null;
  /** Readings in a row that found no CPU time used, and the sample that reads next. */
  idle: number;
  due: number;
}

interface Process {
  readonly pid: number;
  readonly startTicks: number;
  name: string;
  readonly first: number;
  readonly cpuNs: number[];
  tids: readonly number[];
  listedAt: number;
  /** Its number of threads when they were listed. */
  listedCount: number;
}

/** Takes samples when told to; `observe` tells it in time. */
export class Sampler {
  private readonly procfs: Procfs;
  private readonly clock: Clock;
  private readonly members: Members | null;
  private readonly bytesPerPage: number;
  private readonly threads = new Map<number, Thread>();
  private readonly processes = new Map<number, Process>();
  private readonly endedThreads: Thread[] = [];
  private readonly endedProcesses: Process[] = [];
  private readonly atNs: number[] = [];
  private readonly counts = { processes: [] as number[], threads: [] as number[], rssMb: [] as number[] };
  private readonly stealTicks: (number | null)[] = [];
  private readonly totalTicks: (number | null)[] = [];
  private readonly fromSchedstat: boolean;
  private openFiles = 0;

  /** `pid` is the launched program: the leader of its group. */
  constructor(pid: number, procfs: Procfs, clock: Clock) {
    this.procfs = procfs;
    this.clock = clock;
    this.bytesPerPage = pageSize(procfs);
    // A kernel without it has no such file, or one that says 0 of a process that runs: this one.
    this.fromSchedstat = Number.parseInt(procfs.readShort('self/schedstat') ?? '', 10) > 0;
    const leader = procfs.stat(pid);
    const marker = procfs.environmentOf(pid, MARKER_VARIABLE)?.split(':').at(-1) ?? null;
    this.members = leader === null ? null : new Members(procfs, leader, marker);
  }

  /** `thorough`: every thread of every process is read, as the first and last sample should. */
  sample(thorough = false): void {
    if (this.members === null) return;
    const index = this.atNs.length;
    const members =
      thorough || index % LOOK_EVERY === 0 ? this.members.look(thorough) : this.members.recheck();
    this.atNs.push(this.clock.now());
    let threads = 0;
    let pages = 0;
    const tids = new Set<number>();
    for (const stat of members) {
      const process = this.sampleProcess(stat, index, thorough);
      for (const tid of process.tids) {
        tids.add(tid);
        this.sampleThread(stat, tid, index, thorough);
      }
      threads += stat.threads;
      pages += stat.rssPages;
    }
    for (const thread of this.threads.values()) if (!tids.has(thread.tid)) this.end(thread);
    this.counts.processes.push(members.length);
    this.counts.threads.push(threads);
    this.counts.rssMb.push((pages * this.bytesPerPage) / 2 ** 20);
    this.sampleMachine();
  }

  /** All that was seen. Closes what is open: the last call. */
  finish(): Observation {
    for (const thread of this.threads.values()) this.end(thread);
    return {
      atNs: this.atNs,
      ...this.counts,
      stealTicks: this.stealTicks,
      totalTicks: this.totalTicks,
      threadSeries: this.endedThreads.map(({ pid, startTicks, tid, name, first, cpuNs, waitNs }) => ({
        pid,
        startTicks,
        tid,
        name,
        first,
        cpuNs,
        waitNs: this.fromSchedstat ? waitNs : null,
      })),
      processSeries: [...this.endedProcesses, ...this.processes.values()].map(
        ({ pid, startTicks, name, first, cpuNs }) => ({
          pid,
          startTicks,
          tid: pid,
          name,
          first,
          cpuNs,
          waitNs: null,
        }),
      ),
      resolutionNs: this.fromSchedstat ? 1 : TICK_NS,
    };
  }

  private sampleProcess(stat: ProcessStat, index: number, thorough: boolean): Process {
    const { pid, startTicks } = stat;
    let process = this.processes.get(pid);
    if (process?.startTicks !== startTicks) {
      if (process !== undefined) this.endedProcesses.push(process);
      process = {
        pid,
        startTicks,
        name: stat.name,
        first: index,
        cpuNs: [],
        tids: [],
        listedAt: -1,
        listedCount: 0,
      };
      this.processes.set(pid, process);
    }
    process.name = stat.name;
    process.cpuNs.push(stat.cpuTicks * TICK_NS);
    if (thorough || stat.threads !== process.listedCount || index - process.listedAt >= LIST_EVERY) {
      process.tids = this.procfs.threadsOf(pid);
      process.listedAt = index;
      process.listedCount = stat.threads;
    }
    return process;
  }

  private sampleThread(stat: ProcessStat, tid: number, index: number, thorough: boolean): void {
    let thread = this.threads.get(tid);
    if (thread !== undefined && thread.startTicks !== stat.startTicks) {
      this.end(thread);
      thread = undefined;
    }
    if (thread !== undefined && index < thread.due && !thorough) {
      thread.cpuNs.push(thread.cpuNs.at(-1)!);
      thread.waitNs.push(thread.waitNs.at(-1)!);
      return;
    }
    let times = thread === undefined ? null : this.timesOf(thread);
    if (thread === undefined || times === null) {
      if (thread !== undefined) this.end(thread); // its id may be a new thread's by now
      thread = this.begin(stat, tid, index);
      times = this.timesOf(thread);
      if (times === null) {
        this.end(thread, false);
        return;
      }
    }
    const { cpuNs, waitNs } = times;
    thread.idle = cpuNs === thread.cpuNs.at(-1) ? Math.min(thread.idle + 1, IDLE_EVERY) : 0;
    thread.due = index + Math.max(1, thread.idle);
    thread.cpuNs.push(cpuNs);
    thread.waitNs.push(waitNs);
    if (thread.idle === 0 && (index - thread.first) % RENAME_EVERY === 1) {
      thread.name = this.nameOf(thread) ?? thread.name;
    }
  }

  private begin({ pid, startTicks }: ProcessStat, tid: number, index: number): Thread {
    const thread: Thread = {
      pid,
      startTicks,
      tid,
      name: '',
      first: index,
      cpuNs: [],
      waitNs: [],
      fd: null,
      idle: 0,
      due: 0,
    };
    if (this.fromSchedstat && this.openFiles < MAX_OPEN_FILES) {
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
    if (keep) this.endedThreads.push(thread);
  }

  private nameOf(thread: Thread): string | null {
    return this.procfs.readShort(`${thread.pid}/task/${thread.tid}/comm`)?.trimEnd() ?? null;
  }

  /** ns on a CPU, and ready without one, since the thread's start; null when it has ended. */
  private timesOf(thread: Thread): { cpuNs: number; waitNs: number } | null {
    const folder = `${thread.pid}/task/${thread.tid}`;
    if (!this.fromSchedstat) {
      const stat = parseStat(this.procfs.readShort(`${folder}/stat`) ?? '');
      return stat === null ? null : { cpuNs: stat.cpuTicks * TICK_NS, waitNs: 0 };
    }
    const text =
      thread.fd === null ? this.procfs.readShort(`${folder}/schedstat`) : this.procfs.readOpen(thread.fd);
    const [cpuNs, waitNs] = (text ?? '').split(' ').map(Number);
    return text !== null && cpuNs! >= 0 ? { cpuNs: cpuNs!, waitNs: waitNs ?? 0 } : null;
  }

  private sampleMachine(): void {
    const fields = this.procfs
      .readShort('stat')
      ?.split('\n', 1)[0]
      ?.trim()
      .split(/\s+/)
      .slice(1, 9)
      .map(Number);
    const known = fields !== undefined && fields.length === 8 && fields.every(Number.isFinite);
    this.stealTicks.push(known ? fields[7]! : null);
    this.totalTicks.push(known ? fields.reduce((sum, ticks) => sum + ticks, 0) : null);
  }
}

/** Bytes of a page, by the kernel's word on our own first mapping; 4,096 where it is silent. */
function pageSize(procfs: Procfs): number {
  const match = /^KernelPageSize:\s+(\d+) kB/m.exec(procfs.readShort('self/smaps') ?? '');
  return match === null ? 4096 : Number(match[1]) * 1024;
}

export interface Observing {
  /** Ends it, with a last sample. */
  stop(): Observation;
}

/** Samples the program `pid` and all that belongs to it (see members.ts), now and every 100 ms, until stopped. */
export function observe(pid: number, options: ObserveOptions = {}): Observing {
  const sampler = new Sampler(pid, new Procfs(options.procRoot), options.clock ?? monotonicClock);
  sampler.sample(true);
  const timer = setInterval(() => sampler.sample(), options.everyMs ?? EVERY_MS);
  timer.unref();
  let observation: Observation | null = null;
  return {
    stop() {
      if (observation === null) {
        clearInterval(timer);
        sampler.sample(true);
        observation = sampler.finish();
      }
      return observation;
    },
  };
}
