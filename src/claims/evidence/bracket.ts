/**
 * From bias at measured rates to bias at a rate between them: the hull of all intervals from the nearest rate below to the nearest above.
 * Nothing is interpolated and no monotone course is taken for granted: between two rates the bias is not known, and what is said of it is what
 * both sides show. Beyond the measured rates nothing is said. Pure.
 */

/** The interval of a bias at one measured rate; ms. */
export interface MeasuredBias {
  readonly rate_rps: number;
  readonly low_ms: number;
  readonly high_ms: number;
}

export interface Hull {
  readonly low_ms: number;
  readonly high_ms: number;
  /** The rates at both ends. */
  readonly rates_rps: readonly [number, number];
}

/** A rate within this share of a measured one is that one. A choice: printed rates differ so much by how they are divided. */
export const SAME_RATE = 0.01;

const atMost = (a: number, b: number): boolean => a <= b * (1 + SAME_RATE);

/**
 * The rates that a bracket takes in, ascending: the nearest at or below the range, those inside, the nearest at or above it.
 * null where the range reaches beyond what was measured.
 */
export function ratesAround(
  measured: readonly number[],
  [from, to]: readonly [number, number],
): readonly number[] | null {
  const rates = [...new Set(measured)].sort((a, b) => a - b);
  const below = rates.filter((rate) => atMost(rate, from)).at(-1);
  const above = rates.find((rate) => atMost(to, rate));
  if (below === undefined || above === undefined) return null;
  // A rate that is both (within 1 % of the whole range) stands alone, but for others that lie in the range itself.
  return rates.filter((rate) => rate >= Math.min(below, above, from) && rate <= Math.max(below, above, to));
}

/** The hull of the intervals at these rates; null of none. */
export function hullOf(points: readonly MeasuredBias[]): Hull | null {
  if (points.length === 0) return null;
  const rates = points.map(({ rate_rps }) => rate_rps);
  return {
    low_ms: Math.min(...points.map(({ low_ms }) => low_ms)),
    high_ms: Math.max(...points.map(({ high_ms }) => high_ms)),
    rates_rps: [Math.min(...rates), Math.max(...rates)],
  };
}

/**
 * Rates of an audit with replies of `audited` tokens at which its client had as much to do as at `rps` with replies of `claimed` tokens. A request
 * costs a + b · tokens; with a and b unknown the equal rate rps · (a + b · claimed) / (a + b · audited) lies between rps (all cost is the
 * request's) and rps · claimed / audited (all is the tokens'), so both are ends of the range.
 */
export function equalWork(
  rps: readonly [number, number],
  claimed: number,
  audited: number,
): readonly [number, number] {
  const factor = claimed / audited;
  return [Math.min(rps[0], rps[0] * factor), Math.max(rps[1], rps[1] * factor)];
}
