/** Statistics of one metric in one row have to be in order, and its mean within what its percentiles allow. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { ClaimFigure, ClaimRow } from '../claim.ts';
import { crossOrder } from './cross-order.ts';
import { isRate, QUANTILES, withinPercentiles } from './mean-bounds.ts';
import { type Digits, fitOf, rangeOf } from './range.ts';
import { figureOf, headlinesOn } from './rows.ts';
import { inputOf, labelOf, listed, orNothing, result } from './words.ts';

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
  const reversed = otherTail(row, ordered, title);
  if (reversed !== null) return reversed;
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
  // Needed, and weak: a wrong percentile is as easily in order, unless its neighbours leave it no other place.
  const pinned = ordered.filter((figure, at) => between(ordered[at - 1], figure, ordered[at + 1]));
  return result(
    'order-of-statistics',
    title,
    'agrees',
    pinned.length === 0
      ? 'They are in order, as they have to be, which confirms no figure.'
      : `They are in order, which leaves ${listed(pinned.map(words))} no other value.`,
    { rows: [row.id], figures: pinned.map(({ id }) => id), inputs, working },
  );
}

/** Both neighbours are there, and every value between them prints as the figure does. */
function between(
  below: ClaimFigure | undefined,
  { quantity }: ClaimFigure,
  above: ClaimFigure | undefined,
): boolean {
  if (below === undefined || above === undefined) return false;
  const [own, low, high] = [quantity, below.quantity, above.quantity].map((one) => rangeOf(one));
  const slack = 1e-9 * quantity.value;
  return low!.low >= own!.low - slack && high!.high <= own!.high + slack;
}

/** Percentiles of a rate that fall: p99 is what 99 % got at least. Minimum and maximum are what they are. */
function otherTail(row: ClaimRow, ordered: readonly ClaimFigure[], title: string): CheckResult | null {
  if (!isRate(ordered[0]!.metric)) return null;
  const percentiles = ordered.filter(({ statistic }) => statistic !== 'min' && statistic !== 'max');
  const turned = [
    ...ordered.filter(({ statistic }) => statistic === 'min'),
    ...[...percentiles].reverse(),
    ...ordered.filter(({ statistic }) => statistic === 'max'),
  ];
  const rising = (figures: readonly ClaimFigure[]) =>
    figures.every((b, at) => figures.slice(0, at).every((a) => inOrder(a, b, 'cut')));
  if (rising(ordered) || !rising(turned)) return null;
  const last = percentiles.at(-1)!;
  return result(
    'order-of-statistics',
    title,
    'limits',
    `Its percentiles fall: ${last.statistic} ${last.quantity.text} is what that share of all got at least, or they are not in order.`,
    {
      rows: [row.id],
      figures: ordered.map(({ id }) => id),
      inputs: ordered.map(inputOf),
      working: [turned.map(({ statistic, quantity }) => `${statistic} ${quantity.text}`).join(' ≤ ')],
      explanations: [
        'percentiles are named from the slow end, as is usual of what should be high',
        'a figure was mistyped, or stands in the wrong column or row',
      ],
      questions: [
        `Which tail is ${labelOf(last.metric, last.statistic)}: what 99 % got at least, or at most?`.replace(
          '99',
          last.statistic === 'p999' ? '99.9' : last.statistic!.slice(1),
        ),
      ],
    },
  );
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
    'min ≤ p50 ≤ p90 ≤ p99 ≤ max; the mean is not below Σ weights × lower ends of what lies between the percentiles, nor above Σ weights × upper ends where the maximum is given; |median − mean| ≤ standard deviation. Over the same requests TTFT and NTPOT are not above E2E in any statistic, nor is (N − 1) · TPOT with replies of one length. A median ITL of next to nothing beside its mean says clumped tokens.',
  run(claim) {
    const results = claim.rows.flatMap((row) => {
      const metrics = [...new Set(row.figures.map(({ metric }) => metric))];
      const found = metrics.flatMap((metric) => {
        const figures = row.figures.filter((figure) => figure.metric === metric);
        return [order(row, figures), ...withinPercentiles(claim, row, figures)];
      });
      return [...found, ...crossOrder(claim, row), clumped(row)].filter((one) => one !== null);
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
