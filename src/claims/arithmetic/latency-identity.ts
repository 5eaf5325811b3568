/** E2E from first token and gaps: TTFT + (N − 1) · gap. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { below, type Digits, exactly, minus, overlap, plus, type Range, rangeOf, times } from './range.ts';
import { assumptions, meanOf, replyLength, statedMeans } from './rows.ts';
import { ends, given, inputOf, labelOf, num, result, time } from './words.ts';

export interface Parts {
  readonly e2e: ClaimFigure;
  readonly ttft: ClaimFigure;
  readonly gap: ClaimFigure;
}

/** TTFT + (N − `less`) · gap. */
export function composed(
  row: ClaimRow,
  ttft: ClaimFigure,
  gap: ClaimFigure,
  digits: Digits,
  less = 1,
): Range {
  const gaps = minus(replyLength(row, digits)!, exactly(less));
  return plus(rangeOf(ttft.quantity, digits), times(gaps, rangeOf(gap.quantity, digits)));
}

/** Tokens that a TPOT is divided by are the server's own, or as many as were asked for: a count of events would make TPOT greater. */
export const countsTokens = (claim: Claim): boolean =>
  claim.measurement.tokenSource === 'usage' || claim.measurement.tokenSource === 'requested';

function partsOf(row: ClaimRow): Parts | null {
  const [e2e, ttft] = [meanOf(row, 'e2e'), meanOf(row, 'ttft')];
  const gap = meanOf(row, 'tpot') ?? meanOf(row, 'itl');
  return e2e === null || ttft === null || gap === null || replyLength(row) === null
    ? null
    : { e2e, ttft, gap };
}

/**
 * Definitions of TPOT, by what is taken from N, under which E2E is the sum of its parts: 1 (usual), 0. Empty where the row gives no E2E, or one that
 * fits neither; only for replies of one length is one of them pinned.
 */
export function pinned(row: ClaimRow): readonly (0 | 1)[] {
  const found = partsOf(row);
  if (found === null || row.outputLength !== 'fixed' || found.gap.metric !== 'tpot') return [];
  const e2e = rangeOf(found.e2e.quantity, 'cut');
  return ([1, 0] as const).filter((less) => overlap(composed(row, found.ttft, found.gap, 'cut', less), e2e));
}

export function latencyFromParts(claim: Claim, row: ClaimRow): CheckResult | null {
  const found = partsOf(row);
  if (found === null || row.outputTokens!.value < 2) return null;
  const { e2e, ttft, gap } = found;
  const figures = [e2e, ttft, gap];
  const n = row.outputTokens!.value;
  const sum = composed(row, ttft, gap, 'rounded');
  const total = rangeOf(e2e.quantity);
  const label = labelOf(gap.metric, null);
  const title = `E2E from its parts, row ${row.id}`;
  const working = [
    ...assumptions(figures),
    `${ttft.quantity.text} + ${num(n - 1)} × ${gap.quantity.text} = ${ends(sum, time)}; E2E printed: ${e2e.quantity.text}`,
  ];
  const parts = {
    rows: [row.id],
    figures: figures.map(({ id }) => id),
    inputs: [...figures.map(inputOf), given(`output tokens, ${row.id}`, row.outputTokens!)],
  };
  const cut = rangeOf(e2e.quantity, 'cut');
  if (overlap(composed(row, ttft, gap, 'cut'), cut)) {
    return result(
      'identities',
      title,
      'agrees',
      `E2E is TTFT + (N − 1) · ${label} within the digits printed.`,
      {
        ...parts,
        working,
      },
    );
  }
  if (row.outputLength === 'mean' && gap.metric === 'tpot') {
    const missing = minus(total, sum);
    return result(
      'identities',
      title,
      'limits',
      `E2E and the sum of its parts are ${time(Math.abs((missing.low + missing.high) / 2))} apart: with lengths that vary that may be the covariance of length and TPOT, and nothing follows.`,
      {
        ...parts,
        working: [...working, 'mean E2E = mean TTFT + (mean N − 1) × mean TPOT + covariance of N and TPOT'],
        explanations: ['long replies had another TPOT than short ones'],
        questions: ['How are the lengths of replies distributed?'],
      },
    );
  }
  const overN = composed(row, ttft, gap, 'cut', 0);
  if (overlap(overN, cut)) {
    // A definition that is in use, and not the usual one: something else in the row has to speak for it.
    const ntpot = row.outputLength === 'fixed' ? meanOf(row, 'ntpot') : null;
    const whole = ntpot === null ? null : times(replyLength(row, 'cut')!, rangeOf(ntpot.quantity, 'cut'));
    const confirmed = whole !== null && overlap(whole, overN) && overlap(whole, cut);
    const detail = {
      ...parts,
      working: [
        ...working,
        `${ttft.quantity.text} + ${num(n)} × ${gap.quantity.text} = ${ends(composed(row, ttft, gap, 'rounded', 0), time)}`,
        ...(whole === null ? [] : [`N × NTPOT: ${num(n)} × ${ntpot!.quantity.text} = ${ends(whole, time)}`]),
      ],
    };
    return confirmed
      ? result('identities', title, 'agrees', `E2E and NTPOT fit with ${label} = (E2E − TTFT) / N.`, detail)
      : result(
          'identities',
          title,
          'limits',
          `E2E fits only with ${label} = (E2E − TTFT) / N, ${whole === null ? 'which no other figure confirms' : 'which NTPOT of the row does not fit'}.`,
          {
            ...detail,
            explanations: [
              `the client divides by N where N − 1 is usual`,
              'E2E holds more than the last token, or is of other requests',
            ],
            questions: [`How does the client define ${label}?`],
          },
        );
  }
  if (below(sum, total)) {
    return result(
      'identities',
      title,
      'limits',
      `E2E is ${time(total.low - sum.high)} or more longer than first token and gaps account for.`,
      {
        ...parts,
        working,
        explanations: [
          'E2E ends after the last token: at the usage event, at [DONE] or when the connection closes',
          'TTFT is the first event, which need not hold a token, or gaps of zero within an event lower the mean',
          'the figures are over different requests',
        ],
        questions: ['What event does E2E end with, and what event does TTFT start decoding with?'],
      },
    );
  }
  return tooShort(claim, row, found, parts, working);
}

/** E2E below the sum: events of several tokens, or a TPOT that holds the first token, explain it; if nothing can, it is contradicted. */
function tooShort(
  claim: Claim,
  row: ClaimRow,
  { e2e, gap, ttft }: Parts,
  parts: Partial<CheckResult>,
  working: readonly string[],
): CheckResult {
  const title = `E2E from its parts, row ${row.id}`;
  const cut = rangeOf(e2e.quantity, 'cut');
  const label = labelOf(gap.metric, null);
  const whole = times(replyLength(row, 'cut')!, rangeOf(gap.quantity, 'cut'));
  const n = num(row.outputTokens!.value);
  if (overlap(whole, cut)) {
    return result(
      'identities',
      title,
      'limits',
      `E2E fits only if ${label} is E2E / N, the first token included.`,
      {
        ...parts,
        working: [...working, `${n} × ${gap.quantity.text} = ${ends(whole, time)}`],
        explanations: [`the client computes ${label} over all tokens from the start of the request`],
        questions: [`How does the client define ${label}?`],
      },
    );
  }
  const certain =
    gap.metric === 'tpot' &&
    row.outputLength === 'fixed' &&
    statedMeans([e2e, ttft, gap]) &&
    countsTokens(claim) &&
    below(cut, whole);
  return result(
    'identities',
    title,
    certain ? 'contradicts' : 'limits',
    `E2E is shorter than its own parts: ${e2e.quantity.text}, where first token and gaps make ${ends(composed(row, ttft, gap, 'rounded'), time)}.`,
    {
      ...parts,
      working,
      explanations: [
        ...(gap.metric === 'itl' ? ['an event carries several tokens, and the gaps are between events'] : []),
        'replies were shorter than stated',
        'the figures are over different requests, or of different runs',
      ],
      questions: ['How many tokens had a reply and an event on average?'],
    },
  );
}
