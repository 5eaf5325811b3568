/** What each repetition of a client at a rate says of a figure: the values that intervals and comparisons are made of. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import type { BiasTolerance } from '../../measure/envelope/tolerance.ts';
import { stepOf } from '../../measure/gate/resolution.ts';
import { mean } from '../../measure/quantile.ts';
import type { Finding, Floor, Trial } from '../document.ts';
import { type RateShare, rateShares } from '../envelope/judge-trial.ts';

import { findings } from '../findings.ts';

/** The bias of a figure, by an audit's own finding of these repetitions. */
export interface BiasValues {
  /** A repetition each, ms. */
  readonly values: readonly number[];
  /** Of requests one by one, or of what is printed. */
  readonly by: Finding['bias_by'];
  readonly expected_ms: number | null;
  /** With what the target itself was late by. */
  readonly floor_ms: number | null;
  /** How finely the client prints its figures, ms; 0: finer than is seen, or the values are not of printed figures. */
  readonly resolution_ms: number;
  /** Why there is no value. */
  readonly reason: string;
}

/** All figures that a client printed, ms. */
const printed = (trials: readonly Trial[]): number[] =>
  trials.flatMap(({ reported }) =>
    Object.values(reported?.metrics ?? {}).flatMap((metric) =>
      Object.entries(metric ?? {}).flatMap(([name, value]) =>
        name.endsWith('_ms') && typeof value === 'number' ? [value] : [],
      ),
    ),
  );

/**
 * Repetitions must all be of one client at one rate.
 * @param by `figures` where the other side of a comparison has no pairs
 */
export function biasValues(
  trials: readonly Trial[],
  { metric, statistic }: Pick<BiasTolerance, 'metric' | 'statistic'>,
  floor: Floor | null,
  by?: Finding['bias_by'],
): BiasValues {
  const found = findings(trials, floor).find((f) => f.metric === metric && f.statistic === statistic);
  const used = by ?? found?.bias_by ?? 'figures';
  const values = trials.flatMap(({ bias }) => {
    const row = bias.find((one) => one.metric === metric && one.statistic === statistic);
    if (row === undefined || row.queueing_bias_ms === null) return [];
    return (used === 'pairs' ? row.paired_ms : row.queueing_bias_ms) ?? [];
  });
  return {
    values,
    by: used,
    expected_ms: found?.expected_ms ?? null,
    resolution_ms: used === 'figures' ? stepOf(printed(trials)) : 0,
    floor_ms: found?.floor_ms ?? floor?.floor_ms[metric][statistic] ?? null,
    reason: values.length > 0 ? '' : (found?.reason ?? 'no repetition has figures'),
  };
}

/** One share of the rate, over the repetitions: what arrived, was completed, or succeeded, per what was asked. */
export interface RateSeries {
  readonly of: RateShare['of'];
  /** A repetition each, as it was: nothing is forgiven. What is no fault where it is too much is at most 1. */
  readonly shares: readonly number[];
  /** Too much is out of tolerance as well. */
  readonly twoSided: boolean;
  /** What a random process strays by in one repetition, three standard errors; 0 of constant arrivals. */
  readonly chance: number;
  /** What answers of unlike lengths take from the share in a short repetition, whoever sends them: the mean over the repetitions. */
  readonly spread: number;
  /** Step of a share that is a count of requests; else 0. */
  readonly resolution: number;
}

/** Shares that are counts over counts. */
const COUNTED: readonly RateShare['of'][] = ['requests', 'successes'];

/** The shares of the rate over the repetitions, each a series of its own; a repetition without a ledger is in none. */
export function rateSeries(
  trials: readonly Trial[],
  facts: Pick<ClientFacts, 'constantIsPoisson'>,
): RateSeries[] {
  const all = trials.flatMap((trial) =>
    rateShares(trial, facts).map((one) => ({ ...one, requests: trial.workload.requests })),
  );
  return [...new Set(all.map(({ of }) => of))].map((of) => {
    const these = all.filter((one) => one.of === of);
    const { twoSided } = these[0]!;
    return {
      of,
      twoSided,
      shares: these.map(({ share }) => (twoSided ? share : Math.min(1, share))),
      chance: Math.max(...these.map(({ chance }) => chance)),
      spread: mean(these.map(({ spread }) => spread)),
      resolution: COUNTED.includes(of) ? 1 / Math.min(...these.map(({ requests }) => requests)) : 0,
    };
  });
}
