/** What each repetition of a client at a rate says of a figure: the values that intervals and comparisons are made of. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import type { BiasTolerance } from '../../measure/envelope/tolerance.ts';
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
  /** Why there is no value. */
  readonly reason: string;
}

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
    floor_ms: found?.floor_ms ?? floor?.floor_ms[metric][statistic] ?? null,
    reason: values.length > 0 ? '' : (found?.reason ?? 'no repetition has figures'),
  };
}

/** The rate of a repetition. */
export interface RateValue {
  /** What is judged: the share that is worst once chance is forgiven; 1 where none is beyond it. */
  readonly share: number;
  /** What it is a share of, and that share as it was. */
  readonly of: RateShare['of'];
  readonly raw_share: number;
}

/** Of too little or too much, what chance and the spread of answers do not explain. */
function forgiven({ share, chance, spread, twoSided }: RateShare, repetitions: number): number {
  const off = share - 1;
  if (off > 0 && !twoSided) return 0;
  return Math.sign(off) * Math.max(0, Math.abs(off) - chance / Math.sqrt(repetitions) - spread);
}

/**
 * The rate of each repetition; one without a ledger has none. What a random process strays by is that of all repetitions together, so that
 * more of them tell more.
 */
export function rateValues(
  trials: readonly Trial[],
  facts: Pick<ClientFacts, 'constantIsPoisson'>,
): RateValue[] {
  return trials.flatMap((trial) => {
    const shares = rateShares(trial, facts);
    if (shares.length === 0) return [];
    const worst = shares
      .map((one) => ({ ...one, off: forgiven(one, trials.length) }))
      .reduce((most, one) => (Math.abs(one.off) > Math.abs(most.off) ? one : most));
    return { share: 1 + worst.off, of: worst.of, raw_share: worst.share };
  });
}
