/** The same figure, with many digits, in two rows that were measured apart; and a page's own script or report against its table. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { headlinesOn, sameLoad } from './rows.ts';
import { inputOf, labelOf, num, orNothing, result } from './words.ts';

/** Two measurements of like systems are taken to be anywhere within a tenth of each other. */
const SPREAD = 0.1;
/** Matches that are expected by chance in fewer than one of a hundred such claims are no chance. */
const CHANCE = 0.01;
/** Figures with fewer digits than this match too often to be looked at, and are not counted. */
const FINE = 0.001;

/** Shares, counts and rates of a schedule repeat without being copied. */
const NOT_MEASURED = ['success_rate', 'completed', 'failed', 'request_throughput'];

interface Pair {
  readonly a: ClaimFigure;
  readonly b: ClaimFigure;
  /** Of rows under one load: where a table is typed column by column. The others are many more, and are counted apart. */
  readonly alike: boolean;
}

const comparable = (a: ClaimFigure, b: ClaimFigure): boolean =>
  a.row !== b.row && a.metric === b.metric && a.statistic === b.statistic && !NOT_MEASURED.includes(a.metric);

function pairsOf({ rows }: Claim): readonly Pair[] {
  return rows.flatMap((first, at) =>
    rows.slice(at + 1).flatMap((second): Pair[] => {
      const alike = sameLoad(first, second);
      return first.figures.flatMap((a): Pair[] =>
        second.figures.filter((b) => comparable(a, b)).map((b) => ({ a, b, alike })),
      );
    }),
  );
}

/** How probable it is that two print alike: one step of the last digit out of the spread. */
const chanceOf = ({ a }: Pair): number => (2 * a.quantity.half) / (SPREAD * a.quantity.value);

const near = ({ a, b }: Pair): boolean =>
  Math.abs(a.quantity.value - b.quantity.value) <= SPREAD * Math.max(a.quantity.value, b.quantity.value);

const same = ({ a, b }: Pick<Pair, 'a' | 'b'>): boolean =>
  a.quantity.value > 0 &&
  a.quantity.half > 0 &&
  a.quantity.value === b.quantity.value &&
  a.quantity.half === b.quantity.half;

/** All that two rows both give is the same: one run printed twice. */
const oneRun = (a: ClaimRow, b: ClaimRow): boolean => {
  const both = a.figures.flatMap((figure) => {
    const other = b.figures.find(
      ({ metric, statistic }) => metric === figure.metric && statistic === figure.statistic,
    );
    return other === undefined ? [] : [{ a: figure, b: other }];
  });
  return both.length > 1 && both.every(same);
};

function copied(claim: Claim): CheckResult[] {
  const fine = pairsOf(claim).filter((pair) => near(pair) && chanceOf(pair) <= FINE);
  const underOneLoad = fine.filter(({ alike }) => alike).length;
  const triedWith = ({ alike }: Pair): number => (alike ? underOneLoad : fine.length - underOneLoad);
  return fine
    .filter((pair) => same(pair) && chanceOf(pair) * triedWith(pair) < CHANCE)
    .map((pair) => {
      const { a, b } = pair;
      const tried = triedWith(pair);
      const [rowA, rowB] = [a, b].map(({ row }) => claim.rows.find(({ id }) => id === row)!) as [
        ClaimRow,
        ClaimRow,
      ];
      const whole = oneRun(rowA, rowB);
      const name = labelOf(a.metric, a.statistic);
      return result(
        'restated-figures',
        `The same ${name} in ${a.row} and ${b.row}`,
        'limits',
        whole
          ? `${a.row} and ${b.row} are alike in every figure: they are one run, not two.`
          : `${a.quantity.text} is printed for both ${a.row} and ${b.row}, whose other figures differ: one of them may be a copy.`,
        {
          rows: [a.row, b.row],
          figures: [a.id, b.id],
          headlines: headlinesOn(claim, [a.id, b.id]),
          inputs: [inputOf(a), inputOf(b)],
          working: [
            `were the two anywhere within ${num(100 * SPREAD)} % of each other, they would print alike once in ${num(1 / chanceOf(pair))} times`,
            `pairs of figures as fine and as near, of rows ${pair.alike ? 'under one load' : 'under different loads'}: ${num(tried)}, so ${num(chanceOf(pair) * tried)} such matches by chance`,
          ],
          explanations: [
            `a cell of the table was copied from another${rowA.system === rowB.system ? '' : ' system'}`,
            'one measurement was used for two rows',
          ],
          questions: [`What is the ${name} of ${a.row} and of ${b.row} in the raw results?`],
        },
      );
    });
}

const againstScript = (claim: Claim): CheckResult[] =>
  claim.sources
    .filter(({ says }) => says !== null)
    .map(({ url, says }) =>
      result('restated-figures', 'Page against its own script or report', 'limits', says!, {
        inputs: [{ name: 'source', text: url }],
        working: ['read side by side, by the one who wrote this file'],
        explanations: [
          'the script or the report was changed after the page was written, or the page was typed by hand',
        ],
        questions: ['Which of the two was used for the figures printed?'],
      }),
    );

export const restatedFigures: ArithmeticCheck = {
  id: 'restated-figures',
  about:
    'A figure of many digits that two rows share is unlikely to be measured twice: its chance is one step of its last digit out of a tenth of its value, times the pairs in the claim. And what a page says it was made with is held against its table.',
  run: (claim) =>
    orNothing(
      [...copied(claim), ...againstScript(claim)],
      'restated-figures',
      'Restated or copied figures',
      'No figure of many digits is printed twice, and no script or report of the page is held against it.',
    ),
};
