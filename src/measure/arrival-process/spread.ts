/**
 * CV² of a process's gaps, apart from the jitter of the machine. Jitter moves each arrival and leaves the schedule alone: over k gaps it
 * counts once, while what the process itself varies by adds up k times. So sums of k gaps are looked at, k large enough for the jitter.
 */
import gammainc from '@stdlib/math-base-special-gammainc';
import gammaln from '@stdlib/math-base-special-gammaln';
import { mean, quantileSorted } from '../quantile.ts';

export interface Spread {
  readonly cv2: number;
  readonly low: number;
  readonly high: number;
  /** Gaps in a sum. */
  readonly lag: number;
  /** Sums that do not overlap. */
  readonly sums: number;
  /** What jitter of the assumed size may add to `cv2`. */
  readonly allowance: number;
  /** Most gaps are equal but for jitter. */
  readonly regular: boolean;
  /** Where `regular`: standard deviation of an arrival about its schedule, ms. */
  readonly scatterMs: number | null;
}

/** Standard deviation of an arrival's instant on a busy shared machine, ms: what is always allowed for. */
export const JITTER_MS = 1;
/** Below this CV² (and what jitter may add) gaps count as equal. */
const REGULAR = 0.1;
/** Standard deviation of log CV² is about this over √sums: √2 for a nearly normal sum, 1.25 for exponential gaps. */
const LOG_SD = 1.4;

/** Sums of `lag` consecutive gaps, overlapping. */
export const lagSums = (at: Float64Array, lag: number): Float64Array =>
  Float64Array.from({ length: at.length - lag }, (_, i) => at[i + lag]! - at[i]!);

/** Variance from the 10th and 90th hundredths, as of a normal variable: a tenth of the sums at either end may be anything. */
export function robustVariance(sums: Float64Array): number {
  const sorted = Float64Array.from(sums).sort();
  return ((quantileSorted(sorted, 0.9) - quantileSorted(sorted, 0.1)) / 2.5631) ** 2;
}

/**
 * Shape of a gamma variable by maximum likelihood at the sample's mean; values below `floor` count only as being below it, since jitter
 * has made them what they are.
 */
export function gammaShape(values: Float64Array, floor: number): number {
  const average = mean(values);
  let below = 0;
  let sum = 0;
  let logSum = 0;
  for (const value of values) {
    if (value < floor) below++;
    else {
      sum += value / average;
      logSum += Math.log(value / average);
    }
  }
  const above = values.length - below;
  const likelihood = (logShape: number) => {
    const s = Math.exp(logShape);
    const rest = below === 0 ? 0 : below * Math.log(Math.max(1e-300, gammainc((s * floor) / average, s)));
    return above * (s * logShape - gammaln(s)) + (s - 1) * logSum - s * sum + rest;
  };
  // Golden section: the likelihood has one peak.
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = Math.log(0.02);
  let high = Math.log(5000);
  let a = high - ratio * (high - low);
  let b = low + ratio * (high - low);
  let fa = likelihood(a);
  let fb = likelihood(b);
  while (high - low > 1e-4) {
    if (fa > fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - ratio * (high - low);
      fa = likelihood(a);
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + ratio * (high - low);
      fb = likelihood(b);
    }
  }
  return Math.exp((low + high) / 2);
}

/** More scatter than half a gap reorders arrivals, and looks like chance. */
const SCATTERED = 0.5;
/** Standard deviation of log variance from the 10th and 90th hundredths is about this over √sums. */
const ROBUST_LOG_SD = 1.75;

/** Where gaps are equal, the median is at least this part of the mean. */
const CENTRAL = 0.5;

/** Whether sums of eight times as many gaps vary hardly more: arrivals scatter about a schedule, and gaps are not independent. */
function isScattered(at: Float64Array, lag: number, spread: number): boolean {
  const longer = Math.min(8 * lag, Math.floor(at.length / 10));
  const sums = at.length / longer;
  if (longer < 4 * lag) return false;
  const growth = robustVariance(lagSums(at, longer)) / spread / (longer / lag);
  return Math.log(growth) < (-4 * ROBUST_LOG_SD) / Math.sqrt(sums);
}

/** CV² of the gaps of ascending instants (ms), jitter of standard deviation `jitterMs` allowed for. At least 20 arrivals. */
export function gapSpread(at: Float64Array, jitterMs = JITTER_MS): Spread {
  const n = at.length;
  const gap = (at[n - 1]! - at[0]!) / (n - 1);
  // Jitter may add 2σ²/(k·gap²): a tenth, where there are arrivals enough for so long a lag.
  const wanted = Math.max(1, Math.ceil((20 * jitterMs ** 2) / gap ** 2));
  const lag = Math.max(1, Math.min(wanted, Math.floor(n / 10)));
  const sums = lagSums(at, lag);
  const count = Math.floor((n - 1) / lag);
  const allowance = (2 * jitterMs ** 2) / (lag * gap ** 2);
  const spread = robustVariance(sums);
  const robust = spread / (lag * gap ** 2);
  // Of a process of few long gaps and many short ones, most sums are alike, but far from the mean.
  const central = quantileSorted(Float64Array.from(sums).sort(), 0.5) > CENTRAL * lag * gap;
  const even = central && robust < REGULAR + Math.min(allowance, REGULAR);
  const scattered = !even && robust < SCATTERED && isScattered(at, lag, spread);
  const regular = even || scattered;
  const cv2 = regular ? robust : lag / gammaShape(sums, Math.max(0.02 * lag * gap, jitterMs));
  const factor = Math.exp((1.96 * LOG_SD) / Math.sqrt(count));
  return {
    cv2,
    low: cv2 / factor,
    high: cv2 * factor,
    lag,
    sums: count,
    allowance,
    regular,
    scatterMs: regular ? Math.sqrt(spread / 2) : null,
  };
}

/** Most gaps of a CV² far above 1 are below what can be measured, and tell little of its shape. */
const SKEWED = 0.2;

/** How many standard deviations the CV² lies from a stated one, by its logarithm; jitter may have added to it. */
export function spreadDeviation({ cv2, sums, allowance, regular }: Spread, stated: number): number {
  const nearest = cv2 > stated ? Math.max(stated, cv2 - allowance) : cv2;
  return (
    (Math.log(nearest / stated) * Math.sqrt(sums)) /
    (regular ? ROBUST_LOG_SD : LOG_SD + SKEWED * Math.log(Math.max(1, stated)))
  );
}
