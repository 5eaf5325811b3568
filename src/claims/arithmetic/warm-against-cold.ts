/** Prompts that were sent before are answered from a prefix cache: how far does a ratio stand on that? */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimHeadline, ClaimRow } from '../claim.ts';
import { over, type Range, rangeOf } from './range.ts';
import { ends, inputOf, listed, orNothing, result } from './words.ts';

const QUESTIONS = [
  'Was the prefix cache on, on both sides, and empty at the start of each run?',
  'What are the figures of a first run, with prompts that were not sent before?',
];

const rowOf = (claim: Claim, id: string | null): ClaimRow | undefined =>
  claim.rows.find((row) => row.figures.some((figure) => figure.id === id));

const cacheOf = (claim: Claim, row: ClaimRow) =>
  claim.systems.find(({ name }) => name === row.system)?.prefixCache ?? null;

/** The first run with the prompts of this one: as stated, or by the same load. */
function coldOf(claim: Claim, row: ClaimRow): ClaimRow | undefined {
  const named = claim.rows.find(({ id }) => id === row.promptsOf);
  if (named !== undefined && named.run !== 'warm') return named;
  const value = (quantity: ClaimRow['requests']) => quantity?.value ?? null;
  const keys = ['requests', 'inputTokens', 'outputTokens', 'concurrency', 'rateRps'] as const;
  const found = claim.rows.filter(
    (other) =>
      other.run === 'cold' &&
      other.system === row.system &&
      keys.every((key) => value(other[key]) === value(row[key])),
  );
  return found.length === 1 ? found[0] : undefined;
}

const counterpart = (row: ClaimRow | undefined, figure: ClaimFigure): ClaimFigure | undefined =>
  row?.figures.find(({ metric, statistic }) => metric === figure.metric && statistic === figure.statistic);

const ratio = ({ better }: ClaimHeadline, of: ClaimFigure, base: ClaimFigure): Range =>
  better === 'higher'
    ? over(rangeOf(of.quantity), rangeOf(base.quantity))
    : over(rangeOf(base.quantity), rangeOf(of.quantity));

const shown = ({ better }: ClaimHeadline, of: ClaimFigure, base: ClaimFigure): string =>
  better === 'higher'
    ? `${of.quantity.text} / ${base.quantity.text}`
    : `${base.quantity.text} / ${of.quantity.text}`;

function ofHeadline(claim: Claim, headline: ClaimHeadline): CheckResult | null {
  const rows = [rowOf(claim, headline.of), rowOf(claim, headline.over)] as const;
  const [first, second] = rows;
  if (first === undefined || second === undefined) return null;
  const of = first.figures.find(({ id }) => id === headline.of)!;
  const base = second.figures.find(({ id }) => id === headline.over)!;
  const ids = {
    rows: [...new Set([first.id, second.id])],
    figures: [of.id, base.id],
    headlines: [headline.id],
  };
  const caches = [cacheOf(claim, first), cacheOf(claim, second)];
  const title = `Warm against cold: ${headline.text}`;
  if (first.system !== second.system && caches.includes('on') && caches.includes('off')) {
    return result(
      'warm-against-cold',
      title,
      'limits',
      'The prefix cache is on for one side and off for the other: the ratio is that of the cache, not only of the systems.',
      {
        ...ids,
        inputs: [inputOf(of), inputOf(base)],
        working: [`prefix cache: ${first.system} ${caches[0]}, ${second.system} ${caches[1]}`],
        explanations: ['each side was run with its own defaults'],
        questions: ['What is the ratio with the prefix cache on, and with it off, on both sides?'],
      },
    );
  }
  const warm = [first, second].filter(({ run }) => run === 'warm');
  if (warm.length === 0) return null;
  if (warm.length === 1 && [first, second].some(({ run }) => run === 'cold')) {
    return result(
      'warm-against-cold',
      title,
      'limits',
      `${warm[0]!.id} is a warm run and the other a cold one: the ratio is that of the cache, not only of the systems.`,
      {
        ...ids,
        inputs: [inputOf(of), inputOf(base)],
        working: [`${shown(headline, of, base)} = ${ends(ratio(headline, of, base))}, warm on one side only`],
        explanations: ['the runs were not made in the same order on both sides'],
        questions: QUESTIONS,
      },
    );
  }
  const cold = [counterpart(coldOf(claim, first), of), counterpart(coldOf(claim, second), base)];
  const working = [`warm: ${shown(headline, of, base)} = ${ends(ratio(headline, of, base))}`];
  const [coldOfFigure, coldBase] = cold;
  const known = coldOfFigure !== undefined && coldBase !== undefined;
  if (known)
    working.push(
      `cold: ${shown(headline, coldOfFigure, coldBase)} = ${ends(ratio(headline, coldOfFigure, coldBase))}`,
    );
  return result(
    'warm-against-cold',
    title,
    'limits',
    known
      ? `It holds for prompts that were sent before: ${ends(ratio(headline, of, base))} warm, ${ends(ratio(headline, coldOfFigure, coldBase))} in the first run.`
      : `It holds for prompts that were sent before (${listed(warm.map(({ id }) => id))}); the first run is not given.`,
    {
      ...ids,
      inputs: [of, base, ...cold.filter((one) => one !== undefined)].map(inputOf),
      working,
      explanations: [
        'the prefix cache answers what it has seen, and one system keeps more of it, or keeps it longer',
      ],
      questions: known ? [QUESTIONS[0]!, 'What share of the prompts in use was sent before?'] : QUESTIONS,
    },
  );
}

export const warmAgainstCold: ArithmeticCheck = {
  id: 'warm-against-cold',
  about:
    'A second run with the same prompts is answered from a prefix cache. With both runs given the ratio is computed for each; with the cache on for one side only, or one side warm, the ratio is that of the cache.',
  run: (claim) =>
    orNothing(
      claim.headlines.flatMap((headline) => ofHeadline(claim, headline) ?? []),
      'warm-against-cold',
      'Warm against cold',
      claim.systems.some(({ prefixCache }) => prefixCache === null)
        ? 'Whether a prefix cache was on, or prompts had been sent before, is not stated for all systems.'
        : 'No factor stands on a warm run or on caches that differ.',
      claim.systems.some(({ prefixCache }) => prefixCache === null) ? QUESTIONS : [],
    ),
};
