/**
 * A program's architecture as its threads' CPU time shows it: how many of them do the work, and whether one alone carries it. Pure.
 * From outside a thread that waits for events cannot be told from one that computes: what is seen is who works, and how much.
 */

/** A thread that used less than this share of a core did no work worth a word. */
export const WORKING_SHARE = 0.01;
/** The threads that carry this share of all CPU time used are what the program is. */
const CARRIES = 0.8;
/** A thread is as busy as the busiest from this part of its share on. */
const EQUAL = 0.6;

export interface ThreadShare {
  readonly pid: number;
  /** CPU seconds per second. */
  readonly share: number;
}

export interface Architecture {
  /**
   * `one`: one thread carries four fifths of the CPU time used. `equal`: several that are about as busy do together. `uneven`: neither.
   * `idle`: none of them worked.
   */
  readonly shape: 'one' | 'equal' | 'uneven' | 'idle';
  /** How many carry it; where it is uneven, how many worked. */
  readonly carriers: number;
  /** Share of all CPU time used that they carry. */
  readonly carried_share: number;
  /** Processes that they are threads of. */
  readonly carrier_processes: number;
}

/** How many threads, and of how many processes, used more than 1 % of a core. */
export function working(threads: readonly ThreadShare[]): { threads: number; processes: number } {
  const busy = threads.filter(({ share }) => share > WORKING_SHARE);
  return { threads: busy.length, processes: new Set(busy.map(({ pid }) => pid)).size };
}

/** `threads`: every thread of the program, in any order. */
export function architectureOf(threads: readonly ThreadShare[]): Architecture {
  const sorted = [...threads].sort((a, b) => b.share - a.share);
  const total = sorted.reduce((sum, { share }) => sum + share, 0);
  const busiest = sorted[0]?.share ?? 0;
  const describe = (shape: Architecture['shape'], carriers: readonly ThreadShare[]): Architecture => ({
    shape,
    carriers: carriers.length,
    carried_share: total === 0 ? 0 : carriers.reduce((sum, { share }) => sum + share, 0) / total,
    carrier_processes: new Set(carriers.map(({ pid }) => pid)).size,
  });
  if (busiest <= WORKING_SHARE) return describe('idle', []);
  if (busiest >= CARRIES * total) return describe('one', sorted.slice(0, 1));
  const leaders = sorted.filter(({ share }) => share >= EQUAL * busiest);
  const carried = leaders.reduce((sum, { share }) => sum + share, 0);
  if (leaders.length > 1 && carried >= CARRIES * total) return describe('equal', leaders);
  return describe(
    'uneven',
    sorted.filter(({ share }) => share > WORKING_SHARE),
  );
}
