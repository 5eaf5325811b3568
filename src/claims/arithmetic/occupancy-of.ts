/** Occupancy of one row: how full its slots were, from throughput, first token and gaps. Pure. */
import type { ClaimFigure, ClaimRow } from '../claim.ts';
import { type Digits, exactly, minus, over, plus, type Range, rangeOf, times } from './range.ts';
import { meanOf, replyLength, totalOf } from './rows.ts';
import { ends, num, percent } from './words.ts';

export interface Occupancy {
  readonly row: ClaimRow;
  readonly throughput: ClaimFigure;
  readonly figures: readonly ClaimFigure[];
  readonly share: (digits: Digits) => Range;
  readonly working: string;
}

/** null where the row does not give all of it. */
export function occupancyOf(row: ClaimRow): Occupancy | null {
  const throughput = totalOf(row, 'output_throughput');
  const ttft = meanOf(row, 'ttft');
  // Mean TPOT weighs every reply alike, mean ITL every token: with replies of one length they are one.
  const gap = meanOf(row, 'itl') ?? (row.outputLength === 'fixed' ? meanOf(row, 'tpot') : null);
  const slots = row.concurrency;
  const length = replyLength(row);
  if (throughput === null || ttft === null || gap === null || slots === null || length === null) return null;
  if (slots.value <= 0 || length.low < 1) return null;
  const share = (digits: Digits): Range => {
    const tokens = replyLength(row, digits)!;
    const decode = times(minus(tokens, exactly(1)), rangeOf(gap.quantity, digits));
    const seconds = times(plus(rangeOf(ttft.quantity, digits), decode), exactly(1e-3));
    const rate = over(rangeOf(throughput.quantity, digits), tokens);
    return over(times(rate, seconds), exactly(slots.value));
  };
  const n = row.outputTokens!.value;
  return {
    row,
    throughput,
    figures: [throughput, ttft, gap],
    share,
    working: `${throughput.quantity.text} × (${ttft.quantity.text} + ${num(n - 1)} × ${gap.quantity.text}) / ${num(n)} / ${num(slots.value)} = ${ends(share('rounded'), percent)}`,
  };
}
