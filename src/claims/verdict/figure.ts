/** The verdict on one figure. Pure. */
import type { CheckId, CheckResult } from '../arithmetic-check.ts';
import type { ChecklistAnswer, ChecklistId } from '../checklist/item.ts';
import { LATENCIES, MEASURED } from '../checklist/item.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import type { ExpectedBias } from '../evidence-types.ts';
import { biasKnown } from './bias.ts';
import { failuresIn } from './failures.ts';
import { isOrdered, isPinned, NO_PERCENTILE } from './percentile.ts';

export const VERDICTS = ['supported', 'contradicted', 'undetermined'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface FigureVerdict {
  readonly figure: string;
  readonly verdict: Verdict;
  /** Why, a sentence each; for `undetermined` all that is in the way of `supported`. */
  readonly reasons: readonly string[];
  /** Points of the checklist that are missing or contradicted for it. */
  readonly missing: readonly ChecklistId[];
  /** Titles of the checks that confirm it by other figures of the claim. */
  readonly confirmed_by: readonly string[];
}

/** Checks that compute a figure from other ones, so that their agreement speaks for it. The rest agree where nothing is known, too. */
export const CONFIRMING: readonly CheckId[] = [
  'littles-law',
  'occupancy',
  'offered-not-completed',
  'identities',
  'counts',
];

/** A percentile is confirmed by its neighbours alone, and only where they leave it no room; a sum or a rate is none of one request. */
const confirms = (figure: ClaimFigure, row: ClaimRow, result: CheckResult): boolean =>
  result.state === 'agrees' &&
  result.figures.includes(figure.id) &&
  (isOrdered(figure)
    ? result.check === 'order-of-statistics' && isPinned(figure, row)
    : CONFIRMING.includes(result.check));

/** Whether a result is about a figure: by its id, or, where it names no figure or headline, by its row. */
const isAbout = (figure: ClaimFigure, { figures, headlines, rows }: CheckResult): boolean =>
  figures.length > 0 ? figures.includes(figure.id) : headlines.length === 0 && rows.includes(figure.row);

export interface Grounds {
  readonly claim: Claim;
  readonly results: readonly CheckResult[];
  readonly checklist: readonly ChecklistAnswer[];
  readonly expected: readonly ExpectedBias[];
}

const sentence = ({ title, finding }: CheckResult): string => `${title}: ${finding}`;

export function judgeFigure(figure: ClaimFigure, grounds: Grounds): FigureVerdict {
  const { claim, results, checklist, expected } = grounds;
  const about = results.filter((result) => isAbout(figure, result));
  const against = about.filter(
    ({ state, figures }) => state === 'contradicts' && figures.includes(figure.id),
  );
  const row = claim.rows.find(({ id }) => id === figure.row)!;
  const confirming = about.filter((result) => confirms(figure, row, result));
  const open = checklist.filter(({ figures }) => figures.includes(figure.id));
  const common = {
    figure: figure.id,
    missing: open.map(({ id }) => id),
    confirmed_by: confirming.map(({ title }) => title),
  };
  if (against.length > 0) return { ...common, verdict: 'contradicted', reasons: against.map(sentence) };

  const notStated = open.filter(({ state }) => state === 'not stated');
  const timed = LATENCIES.includes(figure.metric) || figure.metric === 'user_throughput';
  const failures = MEASURED.includes(figure.metric)
    ? failuresIn(figure, claim, row)
    : { obstacle: null, note: null };
  const bias = timed ? biasKnown(figure, row, claim.measurement, expected) : null;
  const obstacles = [
    ...about.filter(({ state }) => state === 'contradicts' || state === 'limits').map(sentence),
    ...open.filter(({ state }) => state === 'contradicted').map(({ title, answer }) => `${title}: ${answer}`),
    ...(notStated.length > 0 ? [`not stated: ${notStated.map(({ title }) => lower(title)).join('; ')}`] : []),
    ...(failures.obstacle === null ? [] : [failures.obstacle]),
    ...(bias?.small === false ? [bias.words] : []),
    ...(confirming.length > 0
      ? []
      : [isOrdered(figure) ? NO_PERCENTILE : 'no other figure of the claim lets it be computed again']),
  ];
  if (obstacles.length > 0) return { ...common, verdict: 'undetermined', reasons: obstacles };
  return {
    ...common,
    verdict: 'supported',
    reasons: [
      `confirmed by other figures of the claim: ${common.confirmed_by.join('; ')}`,
      ...(failures.note === null ? [] : [failures.note]),
      ...(bias === null ? [] : [bias.words, ...bias.notes]),
    ],
  };
}

/** A title inside a sentence; TTFT and the like keep their capitals. */
export const lower = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
