/** The verdict on a claim from those on its figures and headlines, in one word and one sentence. Pure. */
import type { ChecklistAnswer } from '../checklist/item.ts';
import type { FigureVerdict, Verdict } from './figure.ts';
import type { HeadlineVerdict } from './headline.ts';

/**
 * One contradiction contradicts the claim; it is supported where everything in it is, and no point of the checklist is contradicted: who is
 * wrong about how it was measured may be so about the rest.
 */
export function wholeVerdict(
  parts: readonly { readonly verdict: Verdict }[],
  checklist: readonly Pick<ChecklistAnswer, 'state'>[] = [],
): Verdict {
  if (parts.some(({ verdict }) => verdict === 'contradicted')) return 'contradicted';
  const sound = checklist.every(({ state }) => state !== 'contradicted');
  return sound && parts.length > 0 && parts.every(({ verdict }) => verdict === 'supported')
    ? 'supported'
    : 'undetermined';
}

const many = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

function counted(parts: readonly { readonly verdict: Verdict }[], what: string): string | null {
  if (parts.length === 0) return null;
  const of = (verdict: Verdict): number => parts.filter((part) => part.verdict === verdict).length;
  const split = (['contradicted', 'supported', 'undetermined'] as const)
    .filter((verdict) => of(verdict) > 0)
    .map((verdict) => (of(verdict) === parts.length ? verdict : `${of(verdict)} ${verdict}`));
  return `${many(parts.length, what)}: ${split.join(', ')}`;
}

/** `12 figures: 2 contradicted, 10 undetermined; 1 headline: contradicted` */
export const verdictCounts = (
  figures: readonly FigureVerdict[],
  headlines: readonly HeadlineVerdict[],
): string =>
  [counted(figures, 'figure'), counted(headlines, 'headline')].filter((part) => part !== null).join('; ');

/** What `supported` does not mean; stands beside every verdict. */
export const WHAT_SUPPORTED_IS_NOT =
  'Supported means: nothing stated stands against it, other figures of the claim give it again, and what decides its meaning is stated. Whether it was measured, and measured so, cannot be told from paper.';
