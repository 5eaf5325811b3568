/**
 * Watches a launched program from outside, in /proc: its processes and threads (observe-threads.ts), its file descriptors
 * (observe-files.ts) and the machine around it (observe-machine.ts). What is read how often, and what it costs: docs/observer.md.
 */
import { type Clock, monotonicClock } from './clock.ts';
import { KeptStats } from './kept-stats.ts';
import { Members } from './members.ts';
import type { Observation, ProcessSeries } from './observation.ts';
import { FileTable } from './observe-files.ts';
import { MachineTable, type OwnCpu, ownCpuNs } from './observe-machine.ts';
import { ThreadTable, TICK_NS } from './observe-threads.ts';
import { type ProcessStat, Procfs } from './procfs.ts';
import { MARKER_VARIABLE } from './trial-marker.ts';

const EVERY_MS = 100;
/** Samples that take more CPU time than this share of a core come less often, down to … */
const COST_SHARE = 0.008;
const AT_LEAST_EVERY_MS = 500;
/** Of the mean cost of a sample, how much the last one counts. */
const NEWEST = 0.2;
/**
 * New processes are looked for at every third sample: listing /proc costs more than all else. Those that end unseen are in the time that
 * their parent reaped.
 */
const LOOK_EVERY = 3;
/** A process's threads are listed again when their number changes, and every so many samples. */
const LIST_EVERY = 5;

export interface ObserveOptions {
  readonly everyMs?: number;
  /** Another root than /proc, for tests. */
  readonly procRoot?: string;
  readonly clock?: Clock;
  readonly ownCpu?: OwnCpu;
}

interface Process {
  readonly pid: number;
  readonly startTicks: number;
  name: string;
  readonly first: number;
  readonly cpuNs: number[];
  readonly systemNs: number[];
  readonly reapedNs: number[];
  parent: number;
  tids: readonly number[];
  listedAt: number;
  /** Its number of threads when they were listed. */
  listedCount: number;
}

/** Takes samples when told to; `observe` tells it in time. */
export class Sampler {
  private readonly procfs: Procfs;
  private readonly clock: Clock;
  private readonly ownCpu: OwnCpu;
  private readonly members: Members | null;
  private readonly stats: KeptStats;
  private readonly bytesPerPage: number;
  private readonly threads: ThreadTable;
  private readonly files: FileTable;
  private readonly machine: MachineTable;
  private readonly processes = new Map<number, Process>();
  private readonly endedProcesses: Process[] = [];
  private readonly atNs: number[] = [];
  private readonly counts = { processes: [] as number[], threads: [] as number[], rssMb: [] as number[] };
  private readonly fileCounts: Observation['files'][number][] = [];
  private readonly observerNs: number[] = [];
  private costNs = 0;
  /** Exponential mean over the samples that are not thorough, ns. */
  private usualNs = 0;

  /** `pid` is the launched program: the leader of its group. */
  constructor(pid: number, procfs: Procfs, clock: Clock, ownCpu: OwnCpu = ownCpuNs) {
    this.procfs = procfs;
    this.clock = clock;
    this.ownCpu = ownCpu;
    this.bytesPerPage = pageSize(procfs);
    this.threads = new ThreadTable(procfs);
    this.files = new FileTable(procfs);
    this.machine = new MachineTable(procfs, ownCpu);
    const leader = procfs.stat(pid);
    const marker = procfs.environmentOf(pid, MARKER_VARIABLE)?.split(':').at(-1) ?? null;
    this.stats = new KeptStats(procfs);
    this.members = leader === null ? null : new Members(this.stats, leader, marker);
  }

  /** `thorough`: every thread of every process is read, as the first and last sample should. */
  sample(thorough = false): void {
    if (this.members === null) return;
    const before = this.ownCpu();
    const index = this.atNs.length;
    const members =
      thorough || index % LOOK_EVERY === 0 ? this.members.look(thorough) : this.members.recheck();
    this.atNs.push(this.clock.now());
    let threads = 0;
    let pages = 0;
    const tids = new Set<number>();
    for (const stat of members) {
      const process = this.sampleProcess(stat, index, thorough);
      for (const tid of process.tids) tids.add(tid);
      this.threads.sample(stat, process.tids, index, thorough);
      threads += stat.threads;
      pages += stat.rssPages;
    }
    this.threads.keepOnly(tids);
    this.counts.processes.push(members.length);
    this.counts.threads.push(threads);
    this.counts.rssMb.push((pages * this.bytesPerPage) / 2 ** 20);
    this.fileCounts.push(this.files.sample(members, index, thorough));
    this.machine.sample(index, thorough);
    const cost = this.ownCpu() - before;
    if (!thorough) this.usualNs += NEWEST * (cost - this.usualNs);
    this.costNs += cost;
    this.observerNs.push(this.costNs);
  }

  /** How long to wait for the next sample, so that watching stays below 1 % of a core. */
  pauseMs(everyMs = EVERY_MS): number {
    return Math.max(everyMs, Math.min(AT_LEAST_EVERY_MS, this.usualNs / 1e6 / COST_SHARE));
  }

  /** All that was seen. Closes what is open: the last call. */
  finish(): Observation {
    this.stats.close();
    return {
      atNs: this.atNs,
      ...this.counts,
      files: this.fileCounts,
      ...this.machine.columns,
      observerNs: this.observerNs,
      threadSeries: this.threads.finish(),
      processSeries: [...this.endedProcesses, ...this.processes.values()].map(
        ({ pid, startTicks, name, first, cpuNs, systemNs, reapedNs, parent }): ProcessSeries => ({
          pid,
          startTicks,
          name,
          first,
          cpuNs,
          systemNs,
          reapedNs,
          parent,
        }),
      ),
      resolutionNs: this.threads.exact ? 1 : TICK_NS,
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
        systemNs: [],
        reapedNs: [],
        parent: stat.parent,
        tids: [],
        listedAt: -1,
        listedCount: 0,
      };
      this.processes.set(pid, process);
    }
    process.name = stat.name;
    process.parent = stat.parent;
    process.cpuNs.push(stat.cpuTicks * TICK_NS);
    process.systemNs.push(stat.systemTicks * TICK_NS);
    process.reapedNs.push(stat.reapedTicks * TICK_NS);
    if (thorough || stat.threads !== process.listedCount || index - process.listedAt >= LIST_EVERY) {
      process.tids = this.procfs.threadsOf(pid);
      process.listedAt = index;
      process.listedCount = stat.threads;
    }
    return process;
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

/**
 * Samples the program `pid` and all that belongs to it (see members.ts), now and every 100 ms, until stopped; less often where a sample
 * is dear.
 */
export function observe(pid: number, options: ObserveOptions = {}): Observing {
  const sampler = new Sampler(
    pid,
    new Procfs(options.procRoot),
    options.clock ?? monotonicClock,
    options.ownCpu,
  );
  let timer: NodeJS.Timeout;
  const next = (): void => {
    timer = setTimeout(() => {
      sampler.sample();
      next();
    }, sampler.pauseMs(options.everyMs));
    timer.unref();
  };
  sampler.sample(true);
  next();
  let observation: Observation | null = null;
  return {
    stop() {
      if (observation === null) {
        clearTimeout(timer);
        sampler.sample(true);
        observation = sampler.finish();
      }
      return observation;
    },
  };
}
