/**
 * What percentiles allow the mean and the standard deviation to be. Below: at least a share 1 − p of all values is p's quantile or more, for every
 * usual rule of quantiles and any number of values. Above: the share beyond it is at most 1 − p + 1/n, as some rules take the value below the place.
 */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimMetric, ClaimRow, ClaimStatistic } from '../claim.ts';
import { type Digits, fitOf, rangeOf } from './range.ts';
import { totalOf } from './rows.ts';
import { inputOf, labelOf, num, result, time } from './words.ts';

/** Statistic and its share of values, ascending. */
export const QUANTILES: readonly (readonly [ClaimStatistic, number])[] = [
  ['min', 0],
  ['p50', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
  ['p999', 0.999],
  ['max', 1],
];

/** More is better: its p99 may be what 99 % of users got at least. */
export const isRate = (metric: ClaimMetric): boolean => metric.endsWith('throughput');

const TAILLESS: readonly ClaimStatistic[] = ['min', 'p50', 'max'];

/** Percentiles of a histogram are off by its buckets: two digits (locust) are 5 % at most, HDR histograms below 1 %. */
const BUCKETS = 0.05;

interface Step {
  readonly share: number;
  readonly figure: ClaimFigure;
}

const stepsOf = (figures: readonly ClaimFigure[]): Step[] =>
  QUANTILES.flatMap(([statistic, share]) => {
    const figure = figures.find((one) => one.statistic === statistic);
    return figure === undefined ? [] : [{ share, figure }];
  });

/** The least mean that percentiles allow: ∫ P(X ≥ x) dx over the steps that they prove. The maximum proves one value only: left out. */
export function leastMean(steps: readonly Step[], digits: Digits): number {
  let [mean, reached] = [0, 0];
  for (const { share, figure } of steps) {
    const low = rangeOf(figure.quantity, digits).low;
    mean += Math.max(0, low - reached) * (1 - share);
    reached = Math.max(reached, low);
  }
  return mean;
}

/** The greatest mean: what is between two quantiles is at most the upper one. `slack` is 1/n. */
export function greatestMean(steps: readonly Step[], digits: Digits, slack: number): number {
  let mean = 0;
  let counted = 0;
  for (const { share, figure } of steps) {
    const until = figure.statistic === 'max' ? 1 : Math.max(counted, share - slack);
    mean += (until - counted) * rangeOf(figure.quantity, digits).high;
    counted = until;
  }
  return mean;
}

/**
 * At the least how many values the statistics are over; null: not known. Of requests any number may have failed where nothing is said of it. Gaps may be
 * fewer than requests: a reply of one event has none; nor has one of one token a TPOT.
 */
function fewest(claim: Claim, row: ClaimRow, metric: ClaimMetric): number | null {
  if (metric === 'itl') return null;
  if (metric === 'tpot' && !(row.outputLength === 'fixed' && (row.outputTokens?.value ?? 0) >= 2))
    return null;
  const [completed, failed] = [totalOf(row, 'completed'), totalOf(row, 'failed')];
  // Some clients count failures among the completed ones.
  if (completed !== null && failed !== null)
    return Math.max(1, completed.quantity.value - failed.quantity.value);
  const rate = totalOf(row, 'success_rate')?.quantity ?? claim.measurement.successRate;
  const sent = completed?.quantity ?? row.requests;
  if (sent === null) return null;
  return rate === null ? null : Math.max(1, Math.floor((sent.value * rangeOf(rate, 'cut').low) / 100));
}

const EXPLANATIONS = [
  'a figure was mistyped, or stands in the wrong column or row',
  'mean and percentiles are over different requests, or percentiles come from a coarse histogram',
];
const QUESTIONS = ['What are these figures in the raw output of the client?'];

export function withinPercentiles(
  claim: Claim,
  row: ClaimRow,
  figures: readonly ClaimFigure[],
): (CheckResult | null)[] {
  // Of rates a page may mean either tail: the median is the same for both.
  const steps = stepsOf(figures).filter(
    ({ figure }) => !isRate(figure.metric) || TAILLESS.includes(figure.statistic),
  );
  const mean = figures.find(({ statistic }) => statistic === 'mean');
  if (mean === undefined) return [];
  return [
    ...(steps.length === 0 ? [] : [againstQuantiles(claim, row, mean, steps)]),
    againstDeviation(row, mean, figures),
  ];
}

function againstQuantiles(
  claim: Claim,
  row: ClaimRow,
  mean: ClaimFigure,
  steps: readonly Step[],
): CheckResult | null {
  const label = labelOf(mean.metric, null);
  const last = steps.at(-1)!;
  const n = last.figure.statistic === 'max' ? fewest(claim, row, mean.metric) : null;
  const least = leastMean(steps, 'rounded');
  const greatest = n === null ? null : greatestMean(steps, 'rounded', 1 / n);
  const notBelow = fitOf(
    (digits) => rangeOf(mean.quantity, digits).high * (1 + BUCKETS) >= leastMean(steps, digits),
  );
  const notAbove = fitOf(
    (digits) =>
      n === null || rangeOf(mean.quantity, digits).low <= greatestMean(steps, digits, 1 / n) * (1 + BUCKETS),
  );
  const lower = steps
    .filter(({ share }) => share < 1)
    .map(({ share, figure }, at, all) => {
      const next = all[at + 1]?.share ?? 1;
      return `${num(next - share)} × ${figure.quantity.text}`;
    });
  if (lower.length === 0 && greatest === null) return null;
  const working = [
    ...(lower.length === 0 ? [] : [`mean ≥ ${lower.join(' + ')} = ${time(least)}`]),
    ...(greatest === null ? [] : [`mean ≤ Σ weights × upper ends, of ${num(n!)} values = ${time(greatest)}`]),
    `mean printed: ${mean.quantity.text}`,
  ];
  const inputs = [mean, ...steps.map(({ figure }) => figure)].map(inputOf);
  const title = `Mean of ${label} within its percentiles, row ${row.id}`;
  if (notBelow === 'fits' && notAbove === 'fits') {
    return result(
      'order-of-statistics',
      title,
      'agrees',
      'The mean is within what the percentiles allow, which confirms no figure.',
      {
        rows: [row.id],
        inputs,
        working,
      },
    );
  }
  const never = notBelow === 'never' || notAbove === 'never';
  return result(
    'order-of-statistics',
    title,
    never ? 'contradicts' : 'limits',
    notBelow === 'fits'
      ? `A mean of ${mean.quantity.text} is above the most that the percentiles and the maximum allow, ${time(greatest!)}.`
      : `A mean of ${mean.quantity.text} is below the least that the percentiles allow, ${time(least)}.`,
    {
      rows: [row.id],
      figures: [mean.id, ...steps.map(({ figure }) => figure.id)],
      inputs,
      working,
      explanations: EXPLANATIONS,
      questions: QUESTIONS,
    },
  );
}

/** |median − mean| ≤ standard deviation, of any distribution (H. Hotelling and L. M. Solomons, Ann. Math. Statist. 3 (1932) 141–142). */
function againstDeviation(
  row: ClaimRow,
  mean: ClaimFigure,
  figures: readonly ClaimFigure[],
): CheckResult | null {
  const [median, deviation] = ['p50', 'std'].map((name) =>
    figures.find(({ statistic }) => statistic === name),
  );
  if (median === undefined || deviation === undefined) return null;
  const fit = fitOf((digits) => {
    const [m, q, s] = [mean, median, deviation].map(({ quantity }) => rangeOf(quantity, digits));
    const apart = Math.max(0, q!.low - m!.high, m!.low - q!.high);
    return apart <= s!.high + BUCKETS * q!.high;
  });
  if (fit === 'fits') return null;
  return result(
    'order-of-statistics',
    `Standard deviation of ${labelOf(mean.metric, null)}, row ${row.id}`,
    fit === 'never' ? 'contradicts' : 'limits',
    `Median and mean are further apart than a standard deviation of ${deviation.quantity.text} allows.`,
    {
      rows: [row.id],
      figures: [mean.id, median.id, deviation.id],
      inputs: [mean, median, deviation].map(inputOf),
      working: [`|${median.quantity.text} − ${mean.quantity.text}| > ${deviation.quantity.text}`],
      explanations: EXPLANATIONS,
      questions: QUESTIONS,
    },
  );
}
