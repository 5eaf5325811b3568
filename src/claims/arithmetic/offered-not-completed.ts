/** Requests a second may be those that were sent. Tokens a second / tokens a reply are those that came back. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow } from '../claim.ts';
import { middle, over, overlap, rangeOf } from './range.ts';
import { completedRate, headlinesOn, sameLoad, totalOf } from './rows.ts';
import { ends, given, inputOf, listed, num, orNothing, percent, result } from './words.ts';

/** Windows of the two throughputs may differ by a drain: less than this says nothing. */
const ALIKE = 0.05;
/** Token throughputs that differ by more are not alike. */
const APART = 0.1;

const EXPLANATIONS = [
  'requests a second is the rate at which they were sent (over the time of sending), not that at which they were completed',
  'replies were shorter or longer than stated',
  'the two throughputs are over different windows',
];
const QUESTIONS = [
  'Is requests a second counted at sending or at completion, and over which time?',
  'How many output tokens had a reply on average, counted by whom?',
];

function ofRow(claim: Claim, row: ClaimRow): CheckResult | null {
  const requests = totalOf(row, 'request_throughput');
  const rate = completedRate(row);
  if (requests === null || rate === null || rate.figure === requests) return null;
  const [completed, printed] = [rate.range('rounded'), rangeOf(requests.quantity)];
  const share = middle(completed) / middle(printed);
  const title = `Offered or completed, row ${row.id}`;
  const ids = [requests.id, rate.figure.id];
  const parts = {
    rows: [row.id],
    inputs: [inputOf(requests), inputOf(rate.figure), given(`output tokens, ${row.id}`, row.outputTokens!)],
    working: [
      `${rate.term} = ${ends(completed)} completed a second; printed: ${requests.quantity.text}`,
      `${rate.figure.quantity.text} / ${requests.quantity.text} = ${ends(over(rangeOf(rate.figure.quantity), printed))} tokens a request`,
    ],
  };
  if (overlap(rate.range('cut'), rangeOf(requests.quantity, 'cut'))) {
    return result(
      'offered-not-completed',
      title,
      'agrees',
      'Requests and tokens a second give the length of replies stated.',
      {
        ...parts,
        figures: ids,
      },
    );
  }
  if (Math.abs(share - 1) <= ALIKE) {
    return result(
      'offered-not-completed',
      title,
      'agrees',
      `Requests and tokens a second are ${percent(Math.abs(share - 1))} apart, as other windows or lengths make them; neither is confirmed.`,
      parts,
    );
  }
  // The quotient is one of completions only where replies are as long as stated: which is one of the things to ask.
  const finding = `If replies had the ${num(row.outputTokens!.value)} tokens stated, ${num(middle(completed))} requests a second were completed, ${
    share < 1 ? `${percent(share)} of` : 'more than'
  } the ${requests.quantity.text} printed.`;
  return result('offered-not-completed', title, 'limits', finding, {
    ...parts,
    figures: ids,
    headlines: headlinesOn(claim, ids),
    explanations: share < 1 ? EXPLANATIONS : EXPLANATIONS.slice(1),
    questions: QUESTIONS,
  });
}

/** Rows under one load, of different systems, with both throughputs. */
function groups(claim: Claim): ClaimRow[][] {
  const found: ClaimRow[][] = [];
  for (const row of claim.rows) {
    if (totalOf(row, 'request_throughput') === null || totalOf(row, 'output_throughput') === null) continue;
    const group = found.find(([first]) => sameLoad(first!, row));
    if (group === undefined) found.push([row]);
    else if (group.every(({ system }) => system !== row.system)) group.push(row);
  }
  return found.filter(({ length }) => length > 1);
}

const spread = (values: readonly number[]): number => Math.max(...values) / Math.min(...values) - 1;

function across(claim: Claim, rows: readonly ClaimRow[]): CheckResult[] {
  const requests = rows.map((row) => totalOf(row, 'request_throughput')!);
  const tokens = rows.map((row) => totalOf(row, 'output_throughput')!);
  const [r, t] = [requests, tokens].map((figures) => spread(figures.map(({ quantity }) => quantity.value)));
  if (!(r! <= ALIKE && t! > APART)) return [];
  const perRequest = rows.map((_, at) => tokens[at]!.quantity.value / requests[at]!.quantity.value);
  return [
    result(
      'offered-not-completed',
      `Offered or completed, across ${listed(rows.map(({ id }) => id))}`,
      'limits',
      `Requests a second are alike (within ${percent(r!)}) where tokens a second differ by ${percent(t!)}: either they are the offered rate, or the systems wrote replies of different lengths (${listed(perRequest.map(num))} tokens).`,
      {
        rows: rows.map(({ id }) => id),
        figures: requests.map(({ id }) => id),
        headlines: headlinesOn(
          claim,
          requests.map(({ id }) => id),
        ),
        inputs: [...requests, ...tokens].map(inputOf),
        working: rows.map(
          (row, at) =>
            `${row.id}: ${tokens[at]!.quantity.text} / ${requests[at]!.quantity.text} = ${num(perRequest[at]!)} tokens a request`,
        ),
        explanations: EXPLANATIONS,
        questions: QUESTIONS,
      },
    ),
  ];
}

export const offeredNotCompleted: ArithmeticCheck = {
  id: 'offered-not-completed',
  about:
    'Requests a second that are equal across systems whose tokens a second differ are the offered rate; tokens a second / tokens a reply is the completed one, if replies had the length stated.',
  run: (claim) =>
    orNothing(
      [
        ...claim.rows.flatMap((row) => ofRow(claim, row) ?? []),
        ...groups(claim).flatMap((rows) => across(claim, rows)),
      ],
      'offered-not-completed',
      'Offered or completed',
      'No row gives requests a second beside tokens a second and the length of replies, nor do two systems give both under one load.',
    ),
};
