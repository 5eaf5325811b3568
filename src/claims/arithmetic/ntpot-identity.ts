/** NTPOT from TPOT and TTFT: (TTFT + (N − 1) · TPOT) / N a request, or TPOT + TTFT / N of the whole. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow } from '../claim.ts';
import { composed, countsTokens, pinned } from './latency-identity.ts';
import { below, type Digits, over, overlap, type Range, rangeOf, scaled, times } from './range.ts';
import { assumptions, meanOf, replyLength, statedMeans } from './rows.ts';
import { ends, given, inputOf, listed, num, result, time } from './words.ts';

export function normalized(claim: Claim, row: ClaimRow): CheckResult | null {
  const [ntpot, ttft] = [meanOf(row, 'ntpot'), meanOf(row, 'ttft')];
  const gap = meanOf(row, 'tpot');
  if (ntpot === null || ttft === null || gap === null || replyLength(row) === null) return null;
  if (row.outputTokens!.value < 2) return null;
  const figures = [ntpot, ttft, gap];
  const by = (less: 0 | 1, digits: Digits): Range =>
    over(composed(row, ttft, gap, digits, less), replyLength(row, digits)!);
  const sum = (digits: Digits): Range => ({ low: by(1, digits).low, high: by(0, digits).high });
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
  // Of means over lengths that vary anything between the two; of one length one of them, and the one that E2E has, if it says which.
  const allowed = pinned(row);
  const fits =
    row.outputLength === 'fixed'
      ? (allowed.length > 0 ? allowed : ([1, 0] as const)).some((less) => overlap(by(less, 'cut'), printed))
      : overlap(sum('cut'), printed);
  if (fits) {
    return result(
      'identities',
      title,
      'agrees',
      'NTPOT is what TPOT and TTFT make within the digits printed.',
      parts,
    );
  }
  // A TPOT of E2E / N is NTPOT itself, so what is below (N − 1) / N of it fits no definition.
  const least = scaled(rangeOf(gap.quantity, 'cut'), 1 - 1 / row.outputTokens!.value);
  const certain =
    below(printed, least) && row.outputLength === 'fixed' && statedMeans(figures) && countsTokens(claim);
  const other = overlap(sum('cut'), printed);
  const side = below(printed, sum('cut')) ? 'less' : 'more';
  return result(
    'identities',
    title,
    certain ? 'contradicts' : 'limits',
    other
      ? `NTPOT does not fit the definition of TPOT that ${allowed.length > 0 ? "the row's E2E has" : 'is usual, nor another in use'}: ${ntpot.quantity.text} against ${listed((allowed.length > 0 ? allowed : ([1, 0] as const)).map((less) => ends(by(less, 'rounded'), time)))}.`
      : `NTPOT is ${side} than TPOT and TTFT make: ${ntpot.quantity.text} against ${ends(sum('rounded'), time)}.`,
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

/** N · NTPOT = E2E: a request's NTPOT is its E2E / N, so that with replies of one length the means are in that ratio, too. */
export function wholeFromNormalized(row: ClaimRow): CheckResult | null {
  const [ntpot, e2e] = [meanOf(row, 'ntpot'), meanOf(row, 'e2e')];
  if (ntpot === null || e2e === null || row.outputLength !== 'fixed') return null;
  const tokens = replyLength(row);
  if (tokens === null || row.outputTokens!.value < 1) return null;
  const figures = [e2e, ntpot];
  const product = (digits: Digits): Range =>
    times(replyLength(row, digits)!, rangeOf(ntpot.quantity, digits));
  const title = `E2E from NTPOT, row ${row.id}`;
  const parts = {
    rows: [row.id],
    figures: figures.map(({ id }) => id),
    inputs: [...figures.map(inputOf), given(`output tokens, ${row.id}`, row.outputTokens!)],
    working: [
      ...assumptions(figures),
      `${num(row.outputTokens!.value)} × ${ntpot.quantity.text} = ${ends(product('rounded'), time)}; E2E printed: ${e2e.quantity.text}`,
    ],
  };
  if (overlap(product('cut'), rangeOf(e2e.quantity, 'cut')))
    return result('identities', title, 'agrees', 'E2E is N · NTPOT within the digits printed.', parts);
  return result(
    'identities',
    title,
    'limits',
    `E2E is not N · NTPOT: ${e2e.quantity.text} against ${ends(product('rounded'), time)}.`,
    {
      ...parts,
      explanations: [
        'E2E and NTPOT end with different events, or NTPOT is TPOT + TTFT / N',
        'replies had another length than stated, by the count that NTPOT is divided by',
        'the two are over different requests, or one was mistyped',
      ],
      questions: ['How does the client define NTPOT, and by whose count of tokens?'],
    },
  );
}
