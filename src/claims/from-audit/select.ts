/** Which figures of an audit can be published: those whose bias it bounds to a small share of them. Pure. */
import type { AuditDocument, Trial } from '../../audit/document.ts';
import { METRICS, type Metric, type Statistic, statistic as statisticOf } from '../../measure/metrics.ts';
import { boundOn, SMALL_SHARE } from '../evidence/bound-on.ts';
import { pointsAt } from '../evidence/point.ts';

export interface Published {
  readonly metric: Metric;
  readonly statistic: Statistic;
}

export interface Selection {
  readonly figures: readonly Published[];
  /** The bound on TTFT and E2E, ms, and the figure that it comes from; null: no ledger, so nothing is bounded. */
  readonly bound: { readonly ms: number; readonly of: string } | null;
  /** What is not among the figures, and why, a sentence each. */
  readonly leftOut: readonly string[];
}

const name = ({ metric, statistic }: Published): string => `${metric}_${statistic}`;
const DIVIDED: readonly Metric[] = ['tpot', 'ntpot'];

interface Candidate extends Published {
  /** Most that the client adds, ms. */
  readonly bound: number;
  /** Least value that would be printed, ms. */
  readonly least: number;
}

/** In hundredths of a ms, upward. */
export const roundedUp = (value: number): number => Math.ceil(value * 100 - 1e-9) / 100;

const printed = (trials: readonly Trial[], { metric, statistic }: Published): (number | null)[] =>
  trials.map((trial) =>
    trial.reported === null ? null : statisticOf(trial.reported.metrics[metric], statistic),
  );

/**
 * The figures of a client at some rates, with one bound that holds for all of them. TTFT and E2E come first; the one with the largest bound
 * is left out until the bound is small against every figure.
 */
export function selectFigures(
  document: AuditDocument,
  client: string,
  rates: readonly number[],
  trials: readonly Trial[],
  statistics: readonly Statistic[],
): Selection {
  const leftOut: string[] = [];
  const there = (metrics: readonly Metric[], of: readonly Statistic[]): Published[] =>
    metrics.flatMap((metric) =>
      of
        .map((statistic) => ({ metric, statistic }))
        .filter((one) => printed(trials, one).every((value) => value !== null)),
    );
  const least = (one: Published): number => Math.min(...printed(trials, one).map((value) => value!));
  const instants = there(['ttft', 'e2e'], statistics);
  // What is divided by tokens is bounded as a mean only.
  const divided = there(DIVIDED, ['mean']);
  if (document.plan.target.kind !== 'reference')
    return {
      figures: [...instants, ...divided],
      bound: null,
      leftOut: ['What the client adds is not in it: the target kept no ledger.'],
    };
  let kept = instants.flatMap((one): Candidate[] => {
    const points = pointsAt(document, client, one.metric, one.statistic, rates);
    if (typeof points === 'string') {
      leftOut.push(`${name(one)}: ${points}`);
      return [];
    }
    const ends = points.flatMap(({ low_ms, high_ms }) => [Math.abs(low_ms), Math.abs(high_ms)]);
    return [{ ...one, bound: Math.max(...ends), least: least(one) }];
  });
  const top = () => kept.reduce((a, b) => (b.bound > a.bound ? b : a));
  while (kept.length > 0 && kept.some((one) => roundedUp(top().bound) > SMALL_SHARE * one.least)) {
    const most = top();
    leftOut.push(
      `${name(most)}: the client may add up to ${roundedUp(most.bound).toFixed(2)} ms, which is more than ${100 * SMALL_SHARE} % of the least figure`,
    );
    kept = kept.filter((one) => one !== most);
  }
  if (kept.length === 0) return { figures: [], bound: null, leftOut };
  const bound = { ms: roundedUp(top().bound), of: name(top()) };
  const row = {
    outputTokens: { value: document.plan.output_tokens, half: 0, text: '' },
    outputLength: 'fixed' as const,
  };
  const means = (metric: Metric): boolean =>
    kept.some((one) => one.metric === metric && one.statistic === 'mean');
  const parts = divided.filter((one) => {
    const ofParts = means('e2e') && (one.metric === 'ntpot' || means('ttft'));
    if (ofParts && boundOn(one, row, bound.ms) <= SMALL_SHARE * least(one)) return true;
    leftOut.push(`${name(one)}: its bias is not bounded to ${100 * SMALL_SHARE} % of it`);
    return false;
  });
  const order = ({ metric }: Published): number => METRICS.indexOf(metric);
  return {
    figures: [...kept.map(({ metric, statistic }) => ({ metric, statistic })), ...parts].sort(
      (a, b) => order(a) - order(b),
    ),
    bound,
    leftOut,
  };
}
