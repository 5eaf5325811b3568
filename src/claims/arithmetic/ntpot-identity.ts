/** NTPOT from TPOT and TTFT: (TTFT + (N − 1) · TPOT) / N a request, or TPOT + TTFT / N of the whole. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow } from '../claim.ts';
import { composed, countsTokens } from './latency-identity.ts';
import { below, type Digits, over, overlap, type Range, rangeOf, scaled } from './range.ts';
import { assumptions, meanOf, replyLength, statedMeans } from './rows.ts';
import { ends, given, inputOf, num, result, time } from './words.ts';

export function normalized(claim: Claim, row: ClaimRow): CheckResult | null {
  const [ntpot, ttft] = [meanOf(row, 'ntpot'), meanOf(row, 'ttft')];
  const gap = meanOf(row, 'tpot');
  if (ntpot === null || ttft === null || gap === null || replyLength(row) === null) return null;
  if (row.outputTokens!.value < 2) return null;
  const figures = [ntpot, ttft, gap];
  // From the one formula to the other: they are TPOT / N apart.
  const sum = (digits: Digits): Range => {
    const tokens = replyLength(row, digits)!;
    return {
      low: over(composed(row, ttft, gap, digits, 1), tokens).low,
      high: over(composed(row, ttft, gap, digits, 0), tokens).high,
    };
  };
  const n = num(row.outputTokens!.value);
  const title = `NTPOT from its parts, row ${row.id}`;
  const parts = {
    rows: [row.id],
    figures: figures.map(({ id }) => id),
    inputs: [...figures.map(inputOf), given(`output tokens, ${row.id}`, row.outputTokens!)],
    working: [
      ...assumptions(figures),
      `${gap.quantity.text} + ${ttft.quantity.text} / ${n} = ${ends(sum('rounded'), time)} (less a share 1/${n} of TPOT, by the definition a request); NTPOT printed: ${ntpot.quantity.text}`,
    ],
  };
  const printed = rangeOf(ntpot.quantity, 'cut');
  if (overlap(sum('cut'), printed)) {
    return result(
      'identities',
      title,
      'agrees',
      'NTPOT is TPOT + TTFT / N within the digits printed.',
      parts,
    );
  }
  // A TPOT of E2E / N is NTPOT itself, so what is below (N − 1) / N of it fits no definition.
  const least = scaled(rangeOf(gap.quantity, 'cut'), 1 - 1 / row.outputTokens!.value);
  const certain =
    below(printed, least) && row.outputLength === 'fixed' && statedMeans(figures) && countsTokens(claim);
  const side = below(printed, sum('cut')) ? 'less' : 'more';
  return result(
    'identities',
    title,
    certain ? 'contradicts' : 'limits',
    `NTPOT is ${side} than TPOT and TTFT make: ${ntpot.quantity.text} against ${ends(sum('rounded'), time)}.`,
    {
      ...parts,
      explanations:
        row.outputLength === 'mean'
          ? [
              'lengths vary, and short replies weigh as much as long ones in a mean of quotients',
              'the figures are over different requests',
            ]
          : [
              'replies had another length than stated',
              'TPOT holds the first token, or counts events',
              'E2E ends after the last token',
            ],
      questions: ['How does the client define NTPOT and TPOT, and by whose count of tokens?'],
    },
  );
}
