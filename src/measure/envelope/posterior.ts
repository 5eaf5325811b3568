/**
 * Where a client's limit lies, given every trial of its search. A client's limit may be a slope and no edge: the probability to hold at rate r is
 * taken to be 1 / (1 + (r/limit)^power), mixed with a trial's own error, and the limit is the rate at which it is ½. Bayes on a grid: the limit
 * as likely in each factor of rate (log-uniform), the power one of `POWERS`, an edge among them. Trials that tell nothing are likelier near the
 * limit, by a share that is not known either; elsewhere they come by chance, as a machine disturbs them. The model is the logistic
 * psychometric function with a lapse rate, integrated over its slope (Kuss, Jäkel, Wichmann, Journal of Vision 5(5), 2005).
 */

/** Slopes of a client, all as likely: from 4 (holds at half the limit in 94 % of trials) to an edge. */
export const POWERS = [4, 8, 16, 32, 64, Number.POSITIVE_INFINITY] as const;

/** Share of trials that tell nothing: by chance anywhere, and more at the limit itself. */
const SILENT_ANYWHERE = [0.02, 0.1, 0.4] as const;
const SILENT_AT_LIMIT = [0, 0.3, 0.55] as const;

/** Largest step of the grid of limits, as a part of the rate. */
const STEP = 0.04;

/** What a rate's trials said. */
export interface RateTrials {
  readonly rate_rps: number;
  readonly holds: number;
  readonly fails: number;
  readonly undetermined?: number;
}

/** Range of the search: the limit lies between one ramp step below it and one above. */
export interface SearchRange {
  readonly from_rps: number;
  readonly to_rps: number;
  readonly ramp: number;
}

/** Probability mass of the limit between neighbouring edges. */
export interface Posterior {
  /** Rising: the lower end of the prior, every rate that was tried, the upper end. */
  readonly edges: readonly number[];
  /** One a gap between edges; they add up to 1. */
  readonly mass: readonly number[];
}

/** The likelihood of all trials where the limit is at `limit` and the slope `power`, the mean over what is not known of silent trials. */
function likelihood(cells: readonly RateTrials[], limit: number, power: number, noise: number): number {
  const seen = cells.map((cell) => {
    // At an edge a rate that is tried is no limit: the grid has its points between them.
    const holds =
      power === Infinity ? Number(cell.rate_rps < limit) : 1 / (1 + (cell.rate_rps / limit) ** power);
    const right = noise + (1 - 2 * noise) * holds;
    return {
      near: 4 * holds * (1 - holds),
      told: cell.holds + cell.fails,
      silent: cell.undetermined ?? 0,
      likelihood: right ** cell.holds * (1 - right) ** cell.fails,
    };
  });
  const told = seen.reduce((product, one) => product * one.likelihood, 1);
  let silent = 0;
  for (const anywhere of SILENT_ANYWHERE)
    for (const atLimit of SILENT_AT_LIMIT)
      silent += seen.reduce((product, one) => {
        const share = anywhere + atLimit * one.near;
        return product * share ** one.silent * (1 - share) ** one.told;
      }, 1);
  return (told * silent) / (SILENT_ANYWHERE.length * SILENT_AT_LIMIT.length);
}

/** @param noise probability that the verdict of a trial far from the limit is wrong @param powers slopes in question */
export function limitPosterior(
  cells: readonly RateTrials[],
  search: SearchRange,
  noise: number,
  powers: readonly number[] = POWERS,
): Posterior {
  const edges = [
    search.from_rps / search.ramp,
    ...cells.map(({ rate_rps }) => rate_rps),
    search.to_rps * search.ramp,
  ];
  const weights = edges.slice(1).map((edge, gap) => {
    const [low, width] = [Math.log(edges[gap]!), Math.log(edge / edges[gap]!)];
    const steps = Math.max(1, Math.ceil(width / STEP));
    let sum = 0;
    for (let i = 0; i < steps; i++) {
      const limit = Math.exp(low + (width * (i + 0.5)) / steps);
      for (const power of powers) sum += likelihood(cells, limit, power, noise);
    }
    return (sum * width) / steps;
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return { edges, mass: weights.map((weight) => weight / all) };
}

/** Probability that the limit lies from `low_rps` (null: from 0) to `high_rps` (null: without end), both of them tried rates. */
export function massWithin(
  { edges, mass }: Posterior,
  low_rps: number | null,
  high_rps: number | null,
): number {
  const low = low_rps === null ? 0 : edges.indexOf(low_rps);
  const high = high_rps === null ? mass.length : edges.indexOf(high_rps);
  return mass.slice(low, high).reduce((sum, one) => sum + one, 0);
}

/** A range of tried rates; null is without end. */
export interface LikelyRange {
  readonly low_rps: number | null;
  readonly high_rps: number | null;
  readonly confidence: number;
}

/** The bracket widened to neighbouring tried rates, each time where more is won, until the limit lies in it with `wanted` probability. */
export function widened(
  posterior: Posterior,
  low_rps: number | null,
  high_rps: number | null,
  wanted: number,
): LikelyRange {
  const { edges, mass } = posterior;
  let low = low_rps === null ? 0 : edges.indexOf(low_rps);
  let high = high_rps === null ? mass.length : edges.indexOf(high_rps);
  const within = () => mass.slice(low, high).reduce((sum, one) => sum + one, 0);
  while (within() < wanted && (low > 0 || high < mass.length)) {
    if ((mass[low - 1] ?? -1) >= (mass[high] ?? -1)) low--;
    else high++;
  }
  return {
    low_rps: low === 0 ? null : edges[low]!,
    high_rps: high === mass.length ? null : edges[high]!,
    confidence: within(),
  };
}
