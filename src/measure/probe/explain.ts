/** Which fault explains the figures of a client that are neither right nor as it states. */
import { FIGURE_NAMES, type FigureName, figuresOf, isNear, type Slack } from './figures.ts';
import type { Candidate, Given, JudgedFigure } from './judged.ts';
import type { Seen } from './seen.ts';

/** TPOT and NTPOT that follow from the client's own E2E, TTFT and tokens are no fault of their own. */
export function derived(got: Given, name: FigureName): boolean {
  const [metric, sum] = name.split(' ') as [string, 'mean' | 'p50'];
  const value = got[name]!;
  const e2e = got[`e2e ${sum}`] ?? null;
  const ttft = got[`ttft ${sum}`] ?? null;
  const tokens = got.tokens ?? null;
  if (e2e === null || tokens === null || tokens < 1) return false;
  if (metric === 'ntpot') return isNear(value, e2e / tokens, name);
  return metric === 'tpot' && ttft !== null && tokens > 1 && isNear(value, (e2e - ttft) / (tokens - 1), name);
}

/** Fields of a definition that a client states: printing another one than it states is a fault, whatever can be said for it. */
export const STATABLE = new Set([
  'headers-as-token',
  'first-chunk-as-token',
  'gaps-between-chunks',
  'end-at-response',
  'requested-as-tokens',
  'chunks-as-tokens',
]);

/** What is wrong with the counts of success, where nothing more exact is known. */
export function generalKind(off: readonly JudgedFigure[], got: Given): string {
  const success = off.find(({ name }) => name === 'success');
  if (success !== undefined && success.got !== null && success.right !== null) {
    if (success.got > success.right) return 'error-as-success';
    const failures = got.failures ?? null;
    return failures !== null && failures + success.got < 1 - 1e-6 ? 'requests-lost' : 'sound-request-fails';
  }
  if (off.some(({ name }) => name === 'failures')) return 'failures-uncounted';
  if (off.length > 0 && off.every(({ right, got: value }) => right === null && value === 0))
    return 'zero-for-none';
  if (off.some(({ right }) => right === null)) return 'figure-of-nothing';
  const tokens = off.find(({ name }) => name === 'tokens');
  if (tokens !== undefined) return tokens.got! < tokens.right! ? 'tokens-lost' : 'tokens-added';
  return 'unnamed';
}

/** How many of the figures that are left a candidate explains: all, or none where it would not change any of them. */
function explained(
  candidate: Candidate,
  left: readonly JudgedFigure[],
  slack: Slack,
): readonly JudgedFigure[] {
  const figures = figuresOf(candidate.seen);
  return left.filter(
    ({ name, got, right }) =>
      isNear(got!, figures[name], name, slack) && !isNear(figures[name] ?? Number.NaN, right, name),
  );
}

/** How many of the figures that the client gives come of these requests, right ones and derived ones too. */
const matches = (seen: readonly Seen[], got: Given, slack: Slack): number => {
  const figures = figuresOf(seen);
  return FIGURE_NAMES.filter((name) => {
    const value = got[name] ?? null;
    return value !== null && isNear(value, figures[name], name, slack);
  }).length;
};

/**
 * The candidate that explains most figures; of equals the one that fits all that the client gives best, and then the first. One that
 * would make more figures wrong than it explains is none.
 */
export function best(
  known: readonly Candidate[],
  right: readonly Seen[],
  left: readonly JudgedFigure[],
  got: Given,
  slack: Slack,
): { candidate: Candidate; explains: readonly JudgedFigure[] } | null {
  const without = matches(right, got, slack);
  return known
    .map((candidate) => ({
      candidate,
      explains: explained(candidate, left, slack),
      fits: matches(candidate.seen, got, slack),
    }))
    .filter(({ explains, fits }) => explains.length > 0 && fits >= without)
    .reduce<{ candidate: Candidate; explains: readonly JudgedFigure[]; fits: number } | null>(
      (most, one) =>
        most === null ||
        one.explains.length > most.explains.length ||
        (one.explains.length === most.explains.length && one.fits > most.fits)
          ? one
          : most,
      null,
    );
}

/** ms: a latency that is longer by no more, and by nothing that is known, may be the client's own delay or the machine's. */
const LATE_MS = 100;

/**
 * Whether all that is off are TTFT and E2E that came a little late, and TPOT and NTPOT that follow from them: no matter of what the client
 * counts, or from where.
 */
export function isLateOnly(off: readonly JudgedFigure[], got: Given): boolean {
  const late = ({ name, got: value, right }: JudgedFigure): boolean =>
    /^(ttft|e2e) /.test(name) && right !== null && value! > right && value! - right <= LATE_MS;
  return off.some(late) && off.every((one) => late(one) || derived(got, one.name));
}
