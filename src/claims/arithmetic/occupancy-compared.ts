/** Two systems at one concurrency, measured at different occupancies: what of their ratio is the window's. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim } from '../claim.ts';
import type { Occupancy } from './occupancy-of.ts';
import { below, middle, minus, type Range } from './range.ts';
import { headlinesOn, sameLoad, statedMeans } from './rows.ts';
import { inputOf, num, percent, result } from './words.ts';

/** Occupancies that differ by less are alike. */
const ALIKE = 0.02;

const apart = (a: Range, b: Range): boolean =>
  below(a, b) ? minus(b, a).low > ALIKE : below(b, a) ? minus(a, b).low > ALIKE : false;

/** Where one is above 100 %, its occupancy is no share of slots, and there is nothing to compare. */
export function occupancyCompared(claim: Claim, found: readonly Occupancy[]): CheckResult[] {
  return found.flatMap((a, at) =>
    found.slice(at + 1).flatMap((b): CheckResult[] => {
      const shares = [a.share('rounded'), b.share('rounded')] as const;
      if (a.row.system === b.row.system || !sameLoad(a.row, b.row)) return [];
      if (shares.some(({ low }) => low > 1) || !apart(...shares)) return [];
      const [fast, slow] = a.throughput.quantity.value > b.throughput.quantity.value ? [a, b] : [b, a];
      const [full, less] = [middle(fast.share('rounded')), middle(slow.share('rounded'))];
      const [x, y] = [fast.throughput.quantity, slow.throughput.quantity];
      const [raw, filled] = [x.value / y.value, x.value / full / (y.value / less)];
      const ids = [a.throughput.id, b.throughput.id];
      return [
        result(
          'occupancy',
          `Occupancy of ${slow.row.id} against ${fast.row.id}`,
          'limits',
          `${statedMeans([...slow.figures, ...fast.figures].filter(({ metric }) => !metric.endsWith('throughput'))) ? 'The' : 'If TTFT and gaps are means, which is not stated, the'} two were measured at ${percent(less)} and ${percent(full)} of their slots: of the ${percent(raw - 1)} more throughput, ${percent(filled - 1)} is left with the slots full on both sides.`,
          {
            rows: [slow.row.id, fast.row.id],
            figures: ids,
            headlines: headlinesOn(claim, ids),
            inputs: [...slow.figures, ...fast.figures].map(inputOf),
            working: [
              slow.working,
              fast.working,
              `as printed: ${x.text} / ${y.text} = ${num(raw)}`,
              `with full slots: (${x.text} / ${percent(full)}) / (${y.text} / ${percent(less)}) = ${num(filled)}`,
            ],
            explanations: [
              'the window of one side holds more of its ramp and drain: other numbers of requests, or another rule of what is counted',
              'the client could not keep one side as busy as the other',
            ],
            questions: ['Were both sides measured with as many requests and over the same window?'],
          },
        ),
      ];
    }),
  );
}
