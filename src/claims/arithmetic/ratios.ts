/** Does a headline's factor follow from the figures that it stands on, within their printed digits? */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimHeadline } from '../claim.ts';
import { below, type Digits, fitOf, over, overlap, type Range, rangeOf } from './range.ts';
import { ends, inputOf, labelOf, num, orNothing, result } from './words.ts';

const find = (claim: Claim, id: string | null): ClaimFigure | undefined =>
  claim.rows.flatMap(({ figures }) => figures).find((figure) => figure.id === id);

const ratioOf = (headline: ClaimHeadline, of: ClaimFigure, base: ClaimFigure, digits: Digits): Range => {
  const [a, b] = [rangeOf(of.quantity, digits), rangeOf(base.quantity, digits)];
  return headline.better === 'higher' ? over(a, b) : over(b, a);
};

/** "At least" and "over" are held to the number itself; else any value that prints as the factor will do. */
const claimed = ({ ratio, bound }: ClaimHeadline, digits: Digits): Range =>
  bound === 'at least' ? { low: ratio.value, high: Number.POSITIVE_INFINITY } : rangeOf(ratio, digits);

function ofHeadline(claim: Claim, headline: ClaimHeadline): CheckResult {
  const title = `Headline: ${headline.text}`;
  const [of, base] = [find(claim, headline.of), find(claim, headline.over)];
  if (of === undefined || base === undefined) {
    return result(
      'ratios',
      title,
      'not applicable',
      'The two figures that the factor stands on are not given.',
      {
        questions: [`Which two figures is "${headline.text}" the ratio of?`],
      },
    );
  }
  const [first, second] = headline.better === 'higher' ? [of, base] : [base, of];
  const range = ratioOf(headline, of, base, 'rounded');
  const said = `${headline.bound === 'exactly' ? '' : `${headline.bound} `}${headline.ratio.text}`;
  const parts = {
    rows: [...new Set([of.row, base.row])],
    headlines: [headline.id],
    inputs: [inputOf(of), inputOf(base), { name: 'factor', text: said }],
    working: [`${first.quantity.text} / ${second.quantity.text} = ${ends(range)}; claimed: ${said}`],
  };
  if (of.metric !== base.metric || of.statistic !== base.statistic) {
    const [a, b] = [of, base].map(({ metric, statistic }) => labelOf(metric, statistic));
    return result('ratios', title, 'limits', `It compares ${a} of one side with ${b} of the other.`, {
      ...parts,
      questions: ['What is the factor with the same statistic on both sides?'],
    });
  }
  const fit = fitOf((digits) => overlap(ratioOf(headline, of, base, digits), claimed(headline, digits)));
  if (fit === 'fits') {
    return result(
      'ratios',
      title,
      'agrees',
      `It follows from its figures, which give ${ends(range)}.`,
      parts,
    );
  }
  if (fit === 'cut') {
    return result(
      'ratios',
      title,
      'agrees',
      `Its figures give ${ends(range)}, which is ${said} cut off, not rounded.`,
      parts,
    );
  }
  if (!below(range, claimed(headline, 'cut'))) {
    return result(
      'ratios',
      title,
      'limits',
      `Its figures give more, ${ends(range)}: it is not the ratio of these two.`,
      {
        ...parts,
        questions: [`Which two figures is "${headline.text}" the ratio of?`],
      },
    );
  }
  return result(
    'ratios',
    title,
    'contradicts',
    `Its figures give ${ends(range)}, which is less than ${headline.ratio.text}.`,
    {
      ...parts,
      explanations: [
        `the factor was taken from other figures: for ${num(headline.ratio.value)} one of the two would be ${num(first.quantity.value / headline.ratio.value)} or ${num(second.quantity.value * headline.ratio.value)} (in the canonical unit)`,
        'it was rounded up',
      ],
      questions: [`Which two figures is "${headline.text}" the ratio of?`],
    },
  );
}

export const ratios: ArithmeticCheck = {
  id: 'ratios',
  about:
    "A headline's factor has to follow from the two figures that it stands on: their ratio, with every value that prints as they do, is compared with the factor.",
  run: (claim) =>
    orNothing(
      claim.headlines.map((headline) => ofHeadline(claim, headline)),
      'ratios',
      'Ratios',
      'The claim has no factor.',
    ),
};
