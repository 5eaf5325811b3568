/**
 * Which processes belong to a launched program: those of its session or group, those that carry its mark, their descendants, and every
 * one that was any of these when last seen. Each sign alone can be shed (setsid, a cleared or overwritten environment, a parent that has
 * ended); a process would have to shed them all between two looks, and the program's output with them.
 */
import { isAlive, type ProcessId, type ProcessStat, type Procfs } from './procfs.ts';
import { carriesMarker, MARKER_VARIABLE } from './trial-marker.ts';

/** What of /proc is needed here. */
export type ProcessTable = Pick<Procfs, 'pids' | 'stat' | 'environmentOf' | 'openFiles'>;

export class Members {
  private readonly procfs: ProcessTable;
  private readonly leader: ProcessId;
  private readonly marker: string | null;
  /** pid → start of those found so far: a pid that was given to another process since does not count. */
  private readonly known = new Map<number, number>();
  /** Processes older than the leader: none of them can be its, so they are not read again. */
  private older = new Set<number>();
  private last: readonly ProcessStat[] = [];

  /** `leader` is the launched program itself, which leads its own group and session. */
  constructor(procfs: ProcessTable, leader: ProcessId, marker: string | null) {
    this.procfs = procfs;
    this.leader = leader;
    this.marker = marker;
    this.known.set(leader.pid, leader.startTicks);
  }

  /**
   * Those alive now, the leader with them. Costs a directory listing and a read for each process younger than the leader; `thorough`
   * also rereads those once found to be older, so that a pid given anew is seen.
   */
  look(thorough = false): ProcessStat[] {
    const young = this.young(thorough);
    // The kernel keeps a pid back while a group or session bears it: another process of that pid means that ours is gone.
    const successor = young.get(this.leader.pid);
    const groupIsOurs = successor === undefined || successor.startTicks === this.leader.startTicks;
    const verdicts = new Map<number, boolean>();
    const members: ProcessStat[] = [];
    for (const stat of young.values()) {
      if (this.isMember(stat, young, groupIsOurs, verdicts)) {
        this.known.set(stat.pid, stat.startTicks);
        if (isAlive(stat)) members.push(stat);
      }
    }
    this.last = members;
    return members;
  }

  /** Those of the last look that are still alive: cheaper by the listing, and blind to new ones. */
  recheck(): ProcessStat[] {
    return this.last
      .map(({ pid, startTicks }) => {
        const stat = this.procfs.stat(pid);
        return stat?.startTicks === startTicks && isAlive(stat) ? stat : null;
      })
      .filter((stat) => stat !== null);
  }

  /** Takes in every process that has one of these files open: those that inherited the program's output. */
  adoptHolders(files: ReadonlySet<string>): void {
    for (const stat of this.young(true).values()) {
      if (this.procfs.openFiles(stat.pid).some((file) => files.has(file))) {
        this.known.set(stat.pid, stat.startTicks);
      }
    }
  }

  /** The processes that are not older than the leader, this one left out. */
  private young(thorough: boolean): Map<number, ProcessStat> {
    const young = new Map<number, ProcessStat>();
    const older = new Set<number>();
    for (const pid of this.procfs.pids()) {
      if (pid === process.pid) continue;
      const stat = !thorough && this.older.has(pid) ? 'older' : this.procfs.stat(pid);
      if (stat === null) continue;
      if (stat === 'older' || stat.startTicks < this.leader.startTicks) older.add(pid);
      else young.set(pid, stat);
    }
    this.older = older;
    return young;
  }

  private isMember(
    stat: ProcessStat,
    young: ReadonlyMap<number, ProcessStat>,
    groupIsOurs: boolean,
    verdicts: Map<number, boolean>,
  ): boolean {
    const before = verdicts.get(stat.pid);
    if (before !== undefined) return before;
    verdicts.set(stat.pid, false); // ends the recursion should a torn reading of /proc show a circle of parents
    const parent = young.get(stat.parent);
    const verdict =
      this.known.get(stat.pid) === stat.startTicks ||
      (groupIsOurs && (stat.session === this.leader.pid || stat.group === this.leader.pid)) ||
      (parent !== undefined && this.isMember(parent, young, groupIsOurs, verdicts)) ||
      (this.marker !== null &&
        carriesMarker(this.procfs.environmentOf(stat.pid, MARKER_VARIABLE), this.marker));
    verdicts.set(stat.pid, verdict);
    return verdict;
  }
}
