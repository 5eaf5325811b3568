/** Up to which rate a client is good on this machine, by what a request costs it. */
import type { CostUs } from '../cost.ts';

/** Part of a core that a loop may be busy: at a half, its own queue adds about as much as one more service (docs/profile.md). */
export const GOOD_RHO = 0.5;

/** Requests/s with an interval. `high` is null where the cost may be 0. */
export interface GoodTo {
  readonly rps: number;
  readonly low_rps: number;
  readonly high_rps: number | null;
  /** What is used up first: one thread that all requests pass, or the cores of all threads together. */
  readonly bound_by: 'busiest thread' | 'all threads';
}

const limit = (cost: CostUs, room: number, boundBy: GoodTo['bound_by']): GoodTo | null =>
  cost.us > 0 && cost.high_us > 0
    ? {
        rps: (room / cost.us) * 1e6,
        low_rps: (room / cost.high_us) * 1e6,
        high_rps: cost.low_us > 0 ? (room / cost.low_us) * 1e6 : null,
        bound_by: boundBy,
      }
    : null;

/**
 * R = ρ/c for the thread that is busiest, and R = ρ · cores/c for all threads together; the lower of the two. null where the line gives
 * no cost above 0: of a client with a thread that bounds it neither, since that of all threads is no bound of that thread.
 * @param busiest null for a client whose work no single thread is bound to (goroutines, tokio): its busiest thread is a different one all the time.
 */
export function goodTo(busiest: CostUs | null, group: CostUs, cores: number, rho = GOOD_RHO): GoodTo | null {
  const all = limit(group, rho * cores, 'all threads');
  const one = busiest === null ? null : limit(busiest, rho, 'busiest thread');
  if (busiest !== null && one === null) return null;
  if (one === null || all === null) return one ?? all;
  return one.rps <= all.rps ? one : all;
}
