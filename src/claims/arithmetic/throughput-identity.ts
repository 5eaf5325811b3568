/** Throughputs that follow from others: of a user, and the total. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { ClaimFigure, ClaimRow } from '../claim.ts';
import { below, exactly, fitOf, over, overlap, plus, type Range, rangeOf, scaled } from './range.ts';
import { meanOf, replyLength, totalOf } from './rows.ts';
import { ends, inputOf, result } from './words.ts';

interface Definition {
  readonly name: string;
  readonly figure: ClaimFigure;
  readonly range: Range;
}

/** The definitions of "tokens a second a user" that are in use, as far as the row gives their figures. */
function definitions(row: ClaimRow): Definition[] {
  const found: Definition[] = [];
  for (const metric of ['itl', 'tpot'] as const) {
    const figure = meanOf(row, metric);
    if (figure !== null) {
      const range = over(exactly(1000), rangeOf(figure.quantity, 'cut'));
      found.push({ name: `1 / ${metric.toUpperCase()}`, figure, range });
    }
  }
  const [e2e, tokens] = [meanOf(row, 'e2e'), replyLength(row, 'cut')];
  if (e2e !== null && tokens !== null) {
    const range = scaled(over(tokens, rangeOf(e2e.quantity, 'cut')), 1000);
    found.push({ name: 'N / E2E, the first token included', figure: e2e, range });
  }
  const output = totalOf(row, 'output_throughput');
  if (output !== null && row.concurrency !== null && row.concurrency.value > 0) {
    const range = scaled(rangeOf(output.quantity, 'cut'), 1 / row.concurrency.value);
    found.push({ name: 'output throughput / concurrency', figure: output, range });
  }
  return found;
}

export function ofAUser(row: ClaimRow): CheckResult | null {
  const user = totalOf(row, 'user_throughput') ?? meanOf(row, 'user_throughput');
  const known = definitions(row);
  if (user === null || known.length === 0) return null;
  const fitting = known.filter(({ range }) => overlap(range, rangeOf(user.quantity, 'cut')));
  const title = `Tokens a second a user, row ${row.id}`;
  const parts = {
    rows: [row.id],
    inputs: [user, ...known.map(({ figure }) => figure)].map(inputOf),
    working: known.map(
      ({ name, figure, range }) =>
        `${name} (${figure.quantity.text}) = ${ends(range)} tok/s; printed: ${user.quantity.text}`,
    ),
  };
  if (fitting.length > 0) {
    const [{ name, figure }] = fitting as [Definition];
    return result('identities', title, 'agrees', `It is ${name}.`, {
      ...parts,
      figures: [user.id, figure.id],
    });
  }
  // A mean over users of their own quotients is above the quotient of means, by how much only their spread says.
  const least = Math.min(...known.map(({ range }) => range.low));
  const most = Math.max(...known.map(({ range }) => range.high));
  if (user.quantity.value > least && user.quantity.value < 1.5 * most) {
    return result(
      'identities',
      title,
      'agrees',
      "It may be a mean over users of each one's own quotient, which confirms no figure.",
      parts,
    );
  }
  return result(
    'identities',
    title,
    'limits',
    'It fits none of its definitions that the row has figures for.',
    {
      ...parts,
      figures: [user.id],
      explanations: [
        "it is a mean of each user's own 1 / ITL, which is above 1 / mean ITL",
        'it is of other requests or of another run than the gaps',
      ],
      questions: ['How is tokens a second a user computed?'],
    },
  );
}

export function totals(row: ClaimRow): CheckResult | null {
  const [total, output, input] = (['total_throughput', 'output_throughput', 'input_throughput'] as const).map(
    (metric) => totalOf(row, metric),
  ) as (ClaimFigure | null)[];
  if (total === null || (output === null && input === null)) return null;
  const parts = [output, input].filter((one) => one !== null && one !== undefined);
  const title = `Total throughput, row ${row.id}`;
  const base = { rows: [row.id], inputs: [total!, ...parts].map(inputOf) };
  for (const part of parts) {
    const fit = fitOf((digits) => !below(rangeOf(total!.quantity, digits), rangeOf(part.quantity, digits)));
    if (fit === 'never') {
      return result(
        'identities',
        title,
        'contradicts',
        `A total of ${total!.quantity.text} is less than ${part.quantity.text}, which is a part of it.`,
        {
          ...base,
          figures: [total!.id, part.id],
          working: [`${total!.quantity.text} < ${part.quantity.text}`],
          explanations: ['the columns are exchanged', 'the two are over different windows or runs'],
          questions: ['What does the total count, and over which window?'],
        },
      );
    }
  }
  if (parts.length < 2) return null;
  const sum = plus(rangeOf(output!.quantity, 'cut'), rangeOf(input!.quantity, 'cut'));
  const working = [
    `${output!.quantity.text} + ${input!.quantity.text} = ${ends(sum)}; printed: ${total!.quantity.text}`,
  ];
  const figures = [total!, ...parts].map(({ id }) => id);
  return overlap(sum, rangeOf(total!.quantity, 'cut'))
    ? result('identities', title, 'agrees', 'Input and output throughput make the total.', {
        ...base,
        figures,
        working,
      })
    : result('identities', title, 'limits', 'Input and output throughput do not make the total.', {
        ...base,
        figures,
        working,
        explanations: [
          'input tokens that came from a cache are counted in one of them only',
          'they are over different windows',
        ],
        questions: ['What does the total count, and over which window?'],
      });
}
