/**
 * Order across metrics: what is not above another in any request is not above it in any quantile or mean over the same requests, whatever the
 * distribution. TTFT ≤ E2E; NTPOT = E2E / N ≤ E2E; with replies of one length (N − 1) · TPOT ≤ E2E.
 */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { countsTokens } from './latency-identity.ts';
import { type Digits, exactly, fitOf, minus, type Range, rangeOf, times } from './range.ts';
import { allCompleted, overWholeRun, replyLength } from './rows.ts';
import { inputOf, labelOf, num, result } from './words.ts';

/** Percentiles may come from histograms, with buckets up to 5 % wide. */
const BUCKETS = 1.05;

/** What of a figure a request's E2E holds: the whole of it, or so many gaps. */
interface Part {
  readonly words: string;
  readonly of: (figure: ClaimFigure, digits: Digits) => Range;
  readonly sure: boolean;
}

function partOf(claim: Claim, row: ClaimRow, metric: ClaimFigure['metric']): Part | null {
  const whole = (figure: ClaimFigure, digits: Digits): Range => rangeOf(figure.quantity, digits);
  if (metric === 'ttft') return { words: '', of: whole, sure: true };
  if (metric === 'ntpot') return { words: '', of: whole, sure: countsTokens(claim) };
  if (metric !== 'tpot' || row.outputLength !== 'fixed' || (row.outputTokens?.value ?? 0) < 2) return null;
  return {
    words: `${num(row.outputTokens!.value - 1)} × `,
    of: (figure, digits) => times(minus(replyLength(row, digits)!, exactly(1)), whole(figure, digits)),
    sure: countsTokens(claim),
  };
}

/** One result for each metric with a statistic that E2E has too. */
export function crossOrder(claim: Claim, row: ClaimRow): CheckResult[] {
  // Of two clocks, or over other requests, either may be the longer one.
  const comparable = claim.measurement.t0 !== null && overWholeRun(claim) && allCompleted(claim, row);
  return (['ttft', 'ntpot', 'tpot'] as const).flatMap((metric): CheckResult[] => {
    const part = partOf(claim, row, metric);
    const pairs = row.figures.flatMap((figure) => {
      if (figure.metric !== metric || figure.statistic === 'std') return [];
      const e2e = row.figures.find((one) => one.metric === 'e2e' && one.statistic === figure.statistic);
      return e2e === undefined ? [] : [{ figure, e2e }];
    });
    if (part === null || pairs.length === 0) return [];
    const title = `${labelOf(metric, null)} within E2E, row ${row.id}`;
    const words = ({ figure, e2e }: (typeof pairs)[number], sign: string) =>
      `${labelOf(metric, figure.statistic)} ${part.words}${figure.quantity.text} ${sign} ${labelOf('e2e', e2e.statistic)} ${e2e.quantity.text}`;
    for (const pair of pairs) {
      const fit = fitOf(
        (digits) => part.of(pair.figure, digits).low <= rangeOf(pair.e2e.quantity, digits).high * BUCKETS,
      );
      if (fit === 'fits') continue;
      const certain = fit === 'never' && comparable && part.sure && pair.figure.statistic !== null;
      return [
        result(
          'order-of-statistics',
          title,
          certain ? 'contradicts' : 'limits',
          `${words(pair, 'is above')}, which no requests can have that both are over.`,
          {
            rows: [row.id],
            figures: [pair.figure.id, pair.e2e.id],
            inputs: [pair.figure, pair.e2e].map(inputOf),
            working: [words(pair, '>')],
            explanations: [
              'a figure was mistyped, or stands in the wrong column or row',
              'the two are over different requests, or from different instants',
            ],
            questions: ['Which requests are the two over, and from which instant does each run?'],
          },
        ),
      ];
    }
    return [
      result(
        'order-of-statistics',
        title,
        'agrees',
        'They are in order, as they have to be, which confirms no figure.',
        {
          rows: [row.id],
          inputs: pairs.flatMap(({ figure, e2e }) => [figure, e2e]).map(inputOf),
          working: pairs.map((pair) => words(pair, '≤')),
        },
      ),
    ];
  });
}
