/**
 * Failures of the target, asked for as shares. Whether a request fails depends on the seed and its ordinal alone, in a random stream of
 * its own: the same requests fail whatever else happens, and the delays that the others get are those of a target without failures.
 */
import { uniform } from '../../src/measure/random.ts';

/** Random stream of the failures; those of the delays are 1 and 2 (src/measure/latency.ts). */
const FAULT_STREAM = 3;

/** What becomes of a request. */
export type Fate = 'answered' | 'refused' | 'broken';

export interface FaultShares {
  /** Share of the requests that are refused with 503, 0 … 1. */
  readonly refuseShare: number;
  /** Share of the requests whose answer breaks off with an error, 0 … 1. */
  readonly breakShare: number;
}

export class Faults {
  readonly #seed: number;
  readonly #shares: FaultShares;

  constructor(seed: number, shares: FaultShares) {
    this.#seed = seed;
    this.#shares = shares;
  }

  /** The fate of the request with this ordinal. Of those that are not refused, `breakShare` break. */
  of(ordinal: number): Fate {
    const u = uniform(this.#seed, FAULT_STREAM, ordinal);
    if (u() < this.#shares.refuseShare) return 'refused';
    return u() < this.#shares.breakShare ? 'broken' : 'answered';
  }
}

/** The failures of a target; null where none were asked for, so that nothing is drawn. */
export const faultsOf = (seed: number, shares: FaultShares): Faults | null =>
  shares.refuseShare > 0 || shares.breakShare > 0 ? new Faults(seed, shares) : null;

/** How many of its tokens a broken answer gives: half, and one at least. */
export const tokensBeforeBreak = (outputTokens: number): number => Math.max(1, Math.floor(outputTokens / 2));
