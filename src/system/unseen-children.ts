/**
 * CPU time of processes that came and went between two looks: the kernel adds a child's to its parent's account of children when the
 * parent waits for it (proc_stat(5), cutime and cstime). What of it was seen while the child lived has a series of its own. Pure.
 */
import type { ProcessSeries } from './observation.ts';

/** Index of the last sample that saw it. */
const lastOf = ({ first, cpuNs }: ProcessSeries): number => first + cpuNs.length - 1;

/**
 * What `parent` had reaped at a sample beyond its `children` that were seen, ns. Never less than before: between a child's end and the
 * parent's waiting for it, its account lacks what the child's own series has.
 * @param seenNs what is counted of a child by its own series
 */
function unseenAt(
  parent: ProcessSeries,
  children: readonly ProcessSeries[],
  seenNs: (child: ProcessSeries) => number,
  sample: number,
): number {
  let most = 0;
  for (let i = 0; i < parent.reapedNs.length && parent.first + i <= sample; i++) {
    let unseen = parent.reapedNs[i]!;
    // A child that this sample saw last may have ended within it, before its parent was read.
    for (const child of children)
      if (lastOf(child) <= parent.first + i) unseen -= seenNs(child) + child.reapedNs.at(-1)!;
    most = Math.max(most, unseen);
  }
  return most;
}

/** CPU time of processes without a series that were reaped between two samples, ns; that of one is in the interval of its reaping. */
export function unseenChildrenNs(
  processes: readonly ProcessSeries[],
  seenNs: (process: ProcessSeries) => number,
  from: number,
  to: number,
): number {
  // Those seen by the very last sample are alive, as far as is known.
  const end = Math.max(...processes.map(lastOf));
  const ended = processes.filter((process) => lastOf(process) < end);
  return processes.reduce((sum, parent) => {
    if (parent.reapedNs.at(-1) === 0) return sum;
    const children = ended.filter(
      (child) =>
        child.parent === parent.pid &&
        child !== parent &&
        child.first <= lastOf(parent) &&
        lastOf(child) >= parent.first,
    );
    const at = (sample: number): number => unseenAt(parent, children, seenNs, sample);
    return sum + at(to) - at(from);
  }, 0);
}
