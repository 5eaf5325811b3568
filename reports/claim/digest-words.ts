/** What text, Markdown and page say of a claim before they go into detail. */
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { count, listed, oneLine } from '../text.ts';
import { ended, VERDICT_ORDER } from './words.ts';

/** `Little's law, row a: No more than …`, and in how many other places the same was found. */
export function entryWords({ title, finding, also }: ClaimDocument['digest'][number]): string {
  const more = also.length === 0 ? '' : ` The same in ${count(also.length, 'other place')}.`;
  return `${oneLine(title)}: ${ended(oneLine(finding))}${more}`;
}

/** What agrees, counted by kind: `E2E from its parts (3), NTPOT from its parts (3)`; empty where nothing does. */
export function agreedWords({ checks }: ClaimDocument): string {
  const kinds = new Map<string, number>();
  for (const { title, state } of checks) {
    if (state !== 'agrees') continue;
    const kind = oneLine(title).replace(/, (row|at|across) .*$/s, '');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].map(([kind, n]) => (n === 1 ? kind : `${kind} (${n})`)).join(', ');
}

/** Titles of the checklist's points in a state, in its order. */
export const pointsOf = (
  { checklist }: ClaimDocument,
  state: ClaimDocument['checklist'][number]['state'],
): readonly string[] => checklist.filter((point) => point.state === state).map(({ title }) => oneLine(title));

/** How many figures have each verdict, worst first, with the names of at most `most` of them (0: none). */
export function figureCounts(
  document: ClaimDocument,
  most = 6,
): readonly { readonly verdict: string; readonly words: string }[] {
  return VERDICT_ORDER.flatMap((verdict) => {
    const own = document.figures
      .filter((one) => one.verdict === verdict)
      .map(({ figure }) => oneLine(figure));
    if (own.length === 0) return [];
    if (most === 0) return [{ verdict, words: count(own.length, 'figure') }];
    const names =
      own.length > most ? `${own.slice(0, most).join(', ')} and ${own.length - most} more` : listed(own);
    return [{ verdict, words: `${count(own.length, 'figure')}: ${names}` }];
  });
}

/** The first steps of a working: what is long is in the other reports. */
export function firstSteps(working: readonly string[], most = 4): readonly string[] {
  if (working.length <= most) return working.map(oneLine);
  return [...working.slice(0, most - 1).map(oneLine), `… ${working.length - most + 1} more steps`];
}

/** Of a client that runs a script: whose script definitions and findings are of. null: it runs none. */
export const scriptWords = ({ known_client: known }: ClaimDocument): string | null =>
  known?.script == null
    ? null
    : `What ${oneLine(known.title)} measures is up to its script. What is known here is of the script that Tare ships (${oneLine(known.script)}); the claim’s may measure otherwise, so nothing of the claim is held against it.`;

/** The claim in a line: what stands out most, after the verdict. */
export function briefly(document: ClaimDocument): string {
  const [first] = document.digest;
  const why = first === undefined ? '' : ` ${entryWords(first)}`;
  return `${oneLine(document.claim.title)} (${oneLine(document.claim.claimant)}): ${oneLine(document.summary)}.${why}`;
}
