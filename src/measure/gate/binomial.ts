/** The interval of a share of independent trials, e.g. of requests that succeeded. Pure. */
import betaQuantile from '@stdlib/stats-base-dists-beta-quantile';
import type { Interval } from '../intervals.ts';

/**
 * The exact interval of a share, which never covers less than 1 − alpha; also where all or none succeeded.
 * Source: C. J. Clopper & E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934.
 * @param successes of `n` ≥ 1
 * @param alpha both sides together
 */
export const clopperPearson = (successes: number, n: number, alpha: number): Interval => ({
  low: successes === 0 ? 0 : betaQuantile(alpha / 2, successes, n - successes + 1),
  high: successes === n ? 1 : betaQuantile(1 - alpha / 2, successes + 1, n - successes),
});

/** The fewest requests, all of them successes, whose interval begins at `share`: shareⁿ ≤ alpha / 2. Infinity for a share of 1. */
export const fewestForShare = (share: number, alpha: number): number =>
  share >= 1 ? Number.POSITIVE_INFINITY : Math.ceil(Math.log(alpha / 2) / Math.log(share));
