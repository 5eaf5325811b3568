/** Statistics of one metric in one row have to be in order, and its mean within what its percentiles allow. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { ClaimFigure, ClaimRow } from '../claim.ts';
import { QUANTILES, withinPercentiles } from './mean-bounds.ts';
import { type Digits, fitOf, rangeOf } from './range.ts';
import { figureOf, headlinesOn } from './rows.ts';
import { inputOf, labelOf, orNothing, result } from './words.ts';

/** Minimum and maximum are exact where percentiles may come from a histogram, whose buckets are up to 5 % wide. */
const BUCKETS = 0.05;

const inOrder = (a: ClaimFigure, b: ClaimFigure, digits: Digits): boolean => {
  const slack = a.statistic === 'min' || b.statistic === 'max' ? 1 + BUCKETS : 1;
  return rangeOf(a.quantity, digits).low <= rangeOf(b.quantity, digits).high * slack * (1 + 1e-9);
};

function order(row: ClaimRow, figures: readonly ClaimFigure[]): CheckResult | null {
  const ordered = QUANTILES.flatMap(
    ([statistic]) => figures.find((figure) => figure.statistic === statistic) ?? [],
  );
  if (ordered.length < 2) return null;
  const title = `Order of ${labelOf(ordered[0]!.metric, null)}, row ${row.id}`;
  const inputs = ordered.map(inputOf);
  const words = (figure: ClaimFigure) => `${figure.statistic} ${figure.quantity.text}`;
  const working = [ordered.map(words).join(' ≤ ')];
  for (const [at, b] of ordered.entries()) {
    for (const a of ordered.slice(0, at)) {
      const fit = fitOf((digits) => inOrder(a, b, digits));
      if (fit === 'fits') continue;
      return result(
        'order-of-statistics',
        title,
        fit === 'never' ? 'contradicts' : 'limits',
        `${words(a)} is above ${words(b)}, which no set of measurements can have.`,
        {
          rows: [row.id],
          figures: [a.id, b.id],
          inputs,
          working: [...working, `${words(a)} > ${words(b)}`],
          explanations: [
            'a figure was mistyped, or stands in the wrong column or row',
            'the two are of different runs, or over different requests',
          ],
          questions: ['What are these figures in the raw output of the client?'],
        },
      );
    }
  }
  // Needed, and weak: what it is worth is for the verdict to say.
  return result('order-of-statistics', title, 'agrees', 'They are in order, as they have to be.', {
    rows: [row.id],
    figures: ordered.map(({ id }) => id),
    inputs,
    working,
  });
}

/** More than half of all gaps are next to nothing beside their mean. */
function clumped(row: ClaimRow): CheckResult | null {
  const [mean, median] = [figureOf(row, 'itl', ['mean', null]), figureOf(row, 'itl', ['p50'])];
  if (mean === null || median === null) return null;
  const [low, high] = [rangeOf(mean.quantity).low, rangeOf(median.quantity).high];
  if (high >= 0.1 * low) return null;
  const percentiles = row.figures.filter(
    ({ metric, statistic }) => metric === 'itl' && /^p\d/.test(statistic ?? ''),
  );
  return result(
    'order-of-statistics',
    `Clumped tokens, row ${row.id}`,
    'limits',
    `Half of all gaps are ${median.quantity.text} or less where their mean is ${mean.quantity.text}: tokens come in clumps, and percentiles of ITL describe events, not tokens.`,
    {
      rows: [row.id],
      figures: percentiles.map(({ id }) => id),
      inputs: [inputOf(mean), inputOf(median)],
      working: [`median ${median.quantity.text} < a tenth of the mean ${mean.quantity.text}`],
      explanations: [
        'an event carries several tokens, and the client books gaps of zero for all but one of them',
        'the client or a proxy between reads several events at once',
      ],
      questions: [
        'How many tokens does an event carry, and what does the client book for those that come together?',
      ],
    },
  );
}

export const orderOfStatistics: ArithmeticCheck = {
  id: 'order-of-statistics',
  about:
    'min ≤ p50 ≤ p90 ≤ p99 ≤ max; the mean is not below Σ weights × lower ends of what lies between the percentiles, nor above Σ weights × upper ends where the maximum is given; |median − mean| ≤ standard deviation. A median ITL of next to nothing beside its mean says clumped tokens.',
  run(claim) {
    const results = claim.rows.flatMap((row) => {
      const metrics = [...new Set(row.figures.map(({ metric }) => metric))];
      const found = metrics.flatMap((metric) => {
        const figures = row.figures.filter((figure) => figure.metric === metric);
        return [order(row, figures), ...withinPercentiles(claim, row, figures)];
      });
      return [...found, clumped(row)].filter((one) => one !== null);
    });
    return orNothing(
      results.map((one) =>
        one.state === 'agrees' ? one : { ...one, headlines: headlinesOn(claim, one.figures) },
      ),
      'order-of-statistics',
      'Order of statistics',
      'No row gives two statistics of one metric.',
    );
  },
};
