/** What several runs of one probe come to. Pure. */
import type { ProbeCell } from './document.ts';

/** Runs that may be made of a probe before it is left open. */
export const MOST_RUNS = 3;

const settled = ({ verdict }: ProbeCell): boolean => verdict === 'right' || verdict === 'other definition';

const agree = (a: ProbeCell, b: ProbeCell): boolean => a.verdict === b.verdict && a.kind === b.kind;

const name = ({ verdict, kind }: ProbeCell): string => (kind === null ? verdict : `${verdict} (${kind})`);

/**
 * The cell that runs have decided, or null where another is needed. One run is enough where it finds nothing wrong, where it was a run
 * alone that ended without a result, and where there is nothing to judge; a fault must show in two.
 */
export function decided(said: readonly ProbeCell[]): ProbeCell | null {
  const last = said.at(-1)!;
  const earlier = said.slice(0, -1);
  const confirms = earlier.at(-1)?.verdict ?? null;
  if (earlier.length === 0 && settled(last)) return last;
  if (last.verdict === 'not applicable' || (last.verdict === 'undetermined' && last.kind === null))
    return { ...last, confirms };
  if (last.verdict === 'crashed' && last.kind !== 'hangs') return { ...last, confirms };
  if (earlier.some((one) => agree(one, last))) return { ...last, confirms };
  if (said.length < MOST_RUNS) return null;
  return {
    ...last,
    verdict: 'undetermined',
    kind: null,
    confirms,
    words: `Its runs disagree: ${said.map(name).join(', then ')}.${settled(last) ? '' : ` ${last.words}`}`,
  };
}
