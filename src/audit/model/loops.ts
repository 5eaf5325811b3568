/** How many event loops a client spread its requests over, as /proc saw it, and what a request cost the thread of one. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import { mean } from '../../measure/quantile.ts';
import type { Trial } from '../document.ts';

/** Runtimes whose threads take work from one common queue: k of them are one server of k, not k servers with a queue each. */
const POOLS: readonly ClientFacts['runtime'][] = ['goroutines', 'tokio', 'threads'];

/** A thread at this share of a core at the lowest rate, that still holds higher ones, turns without work to do. */
const SPINS = 0.9;

export type Loops =
  | { readonly loops: number; readonly how: string; readonly notes: readonly string[] }
  | { readonly loops: null; readonly why: string };

const busiest = (trials: readonly Trial[]): Trial | null =>
  trials.reduce<Trial | null>(
    (most, trial) =>
      (trial.observed?.busiest_thread_share ?? -1) > (most?.observed?.busiest_thread_share ?? -1)
        ? trial
        : most,
    null,
  );

/** From the trial whose busiest thread was busiest: there it shows best who carries the work. */
export function loopsOf(trials: readonly Trial[], facts: Pick<ClientFacts, 'runtime'>): Loops {
  const observed = busiest(trials)?.observed ?? null;
  const architecture = observed?.architecture ?? null;
  if (architecture === null || architecture.shape === 'idle')
    return {
      loops: 1,
      how: 'taken for one event loop: its threads were not seen at work',
      notes: ['How many event loops it has was not seen; the model takes one.'],
    };
  const { shape, carriers, carrier_processes: processes } = architecture;
  if (shape === 'one') return { loops: 1, how: 'one thread carries its work', notes: [] };
  const pool = POOLS.includes(facts.runtime);
  if (pool && processes < carriers)
    return {
      loops: null,
      why: `its ${facts.runtime} share one queue over several threads (${carriers} carry the work): that is no event loop, and M/G/1 is not its model`,
    };
  if (shape === 'equal')
    return {
      loops: carriers,
      how: `${carriers} threads of ${processes} ${processes === 1 ? 'process' : 'processes'} carry its work equally`,
      notes: [],
    };
  return {
    loops: 1,
    how: `its busiest thread is taken for the queue; ${carriers} threads share the work unevenly`,
    notes: [
      'Its work is spread unevenly over threads: the busiest is taken for the queue that all requests pass, and what others add is in the base.',
    ],
  };
}

/** CPU share of one loop's thread: the mean of those that carry the work, of one core; null where it was not seen. */
function loopShare({ observed }: Trial, loops: number): number | null {
  if (observed === null || observed.busiest_thread_share === null) return null;
  const { threads } = observed;
  // At most eight threads are kept.
  return loops > 1 && threads.length >= loops
    ? mean(threads.slice(0, loops).map(({ share }) => share))
    : observed.busiest_thread_share;
}

/** What the trial lasted, s: from the first arrival to the last end, over which the shares are. null without two arrivals. */
function lastedS({ truth }: Trial): number | null {
  if (truth === null || truth.arrival_rps === null || truth.requests < 2) return null;
  return (truth.requests - 1) / truth.arrival_rps + (truth.realized.e2e.mean_ms ?? 0) / 1000;
}

/** CPU time of a loop's thread for each request that it handled, ms; null where it was not seen. Each loop has a k-th of the requests. */
export function cpuMsPerRequest(trial: Trial, loops: number): number | null {
  const share = loopShare(trial, loops);
  const lasted = lastedS(trial);
  if (share === null || lasted === null) return null;
  return (share * lasted * 1000 * loops) / trial.truth!.requests;
}

/**
 * Whether its threads turn while they wait: then CPU time is no cost. Seen from the lowest rate that it kept, where a higher one was kept too.
 * `rates`: rate and share of a loop's thread.
 */
export function spins(
  rates: readonly { readonly rateRps: number; readonly share: number | null }[],
): boolean {
  const seen = rates.filter(({ share }) => share !== null).sort((a, b) => a.rateRps - b.rateRps);
  const [lowest] = seen;
  const highest = seen.at(-1);
  return (
    lowest !== undefined &&
    highest !== undefined &&
    lowest.share! >= SPINS &&
    highest.rateRps >= 1.5 * lowest.rateRps
  );
}

/** As `spins`, from trials. */
export const threadsSpin = (steady: readonly Trial[], loops: number): boolean =>
  spins(steady.map((trial) => ({ rateRps: trial.workload.rateRps, share: loopShare(trial, loops) })));
