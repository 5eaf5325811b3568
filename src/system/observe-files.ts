/**
 * The observer's eye on file descriptors: how many each process has open, its own limit for them, and how many are sockets. Listing
 * them is dear (2 µs each), so sockets are told apart seldom: the files that are none hardly change in number while a client runs.
 */
import type { ProcessStat, Procfs } from './procfs.ts';

/** A process's descriptors are counted at every second sample, or more seldom, so that a sample counts those of a few at most. */
const COUNT_EVERY = 2;
const COUNTED_AT_ONCE = 5;
/** They are looked at one by one when they are a tenth more than when last looked at, at most every so many samples … */
const LOOK_EVERY = 5;
const GROWN = 1.1;
/** … and not beyond so many: 4 ms at a time. */
const MOST_LOOKED_AT = 2048;
/** The limit is reread when more than this share of it is used: programs raise their own. */
const REREAD_SHARE = 0.5;

interface Entry {
  readonly startTicks: number;
  limit: number | null;
  open: number;
  /** Of those looked at last: how many there were and how many were no sockets; null before. */
  looked: { readonly at: number; readonly open: number; readonly others: number } | null;
}

/** Of all processes at one sample. */
export interface FileCounts {
  readonly open: number;
  readonly sockets: number;
  /** The process that is nearest to its own limit. */
  readonly nearest: { readonly open: number; readonly limit: number } | null;
}

export class FileTable {
  private readonly procfs: Procfs;
  private readonly entries = new Map<number, Entry>();

  constructor(procfs: Procfs) {
    this.procfs = procfs;
  }

  /** null where no process lets itself be looked at. */
  sample(members: readonly ProcessStat[], index: number, thorough: boolean): FileCounts | null {
    const every = Math.max(COUNT_EVERY, Math.ceil(members.length / COUNTED_AT_ONCE));
    let open = 0;
    let sockets = 0;
    let seen = false;
    let nearest: FileCounts['nearest'] = null;
    for (const [place, member] of members.entries()) {
      const known = this.entries.get(member.pid);
      const isDue = thorough || known?.startTicks !== member.startTicks || (index + place) % every === 0;
      const entry = isDue ? this.count(member, index) : known;
      if (entry === null || entry === undefined) continue;
      seen = true;
      open += entry.open;
      sockets += Math.max(0, entry.open - (entry.looked?.others ?? 0));
      if (
        entry.limit !== null &&
        (nearest === null || entry.open / entry.limit > nearest.open / nearest.limit)
      ) {
        nearest = { open: entry.open, limit: entry.limit };
      }
    }
    return seen ? { open, sockets, nearest } : null;
  }

  private count({ pid, startTicks }: ProcessStat, index: number): Entry | null {
    const open = this.procfs.openFileCount(pid);
    if (open === null) return null;
    let entry = this.entries.get(pid);
    if (entry?.startTicks !== startTicks) {
      entry = { startTicks, limit: this.limitOf(pid), open, looked: null };
      this.entries.set(pid, entry);
    }
    entry.open = open;
    if (entry.limit !== null && open > REREAD_SHARE * entry.limit) entry.limit = this.limitOf(pid);
    const { looked } = entry;
    const due = looked === null || (open > GROWN * looked.open && index - looked.at >= LOOK_EVERY);
    if (due && open <= MOST_LOOKED_AT) {
      const files = this.procfs.openFiles(pid);
      const others = files.filter((file) => !file.startsWith('socket:')).length;
      entry.looked = { at: index, open: files.length, others };
    }
    return entry;
  }

  /** The soft limit; null where it is unlimited or cannot be read. */
  private limitOf(pid: number): number | null {
    const match = /^Max open files\s+(\d+)/m.exec(this.procfs.readShort(`${pid}/limits`) ?? '');
    return match === null ? null : Number(match[1]);
  }
}
