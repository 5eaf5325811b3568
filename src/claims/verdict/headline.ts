/** The verdict on one headline: does the factor follow from the figures, do they hold, and is like compared with like? Pure. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimHeadline, ClaimRow, Quantity } from '../claim.ts';
import type { FigureVerdict, Verdict } from './figure.ts';

export interface HeadlineVerdict {
  readonly headline: string;
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

const same = (a: Quantity | null, b: Quantity | null): boolean =>
  a === null || b === null || a.value === b.value || Math.abs(a.value - b.value) <= a.half + b.half;

/** How the loads and caches of two rows differ, as far as both are stated. */
export function sidesDiffer(claim: Claim, a: ClaimRow, b: ClaimRow): readonly string[] {
  const quantities: readonly (readonly [string, Quantity | null, Quantity | null])[] = [
    ['rate', a.rateRps, b.rateRps],
    ['concurrency', a.concurrency, b.concurrency],
    ['requests', a.requests, b.requests],
    ['prompt length', a.inputTokens, b.inputTokens],
    ['output length', a.outputTokens, b.outputTokens],
  ];
  const cacheOf = (row: ClaimRow) =>
    claim.systems.find(({ name }) => name === row.system)?.prefixCache ?? null;
  const words: readonly (readonly [string, string | null, string | null])[] = [
    ['kind of output length', a.outputLength, b.outputLength],
    ['run', a.run, b.run],
    ['prefix cache', cacheOf(a), cacheOf(b)],
  ];
  return [
    ...quantities
      .filter(([, x, y]) => !same(x, y))
      .map(([name, x, y]) => `${name} ${x!.text} against ${y!.text}`),
    ...words
      .filter(([, x, y]) => x !== null && y !== null && x !== y)
      .map(([name, x, y]) => `${name} ${x} against ${y}`),
  ];
}

export function judgeHeadline(
  headline: ClaimHeadline,
  claim: Claim,
  results: readonly CheckResult[],
  figures: readonly FigureVerdict[],
): HeadlineVerdict {
  const { id, of, over } = headline;
  const about = results.filter(({ headlines }) => headlines.includes(id));
  const say = ({ title, finding }: CheckResult): string => `${title}: ${finding}`;
  const against = about.filter(({ state }) => state === 'contradicts');
  if (against.length > 0) return { headline: id, verdict: 'contradicted', reasons: against.map(say) };
  if (of === null || over === null)
    return {
      headline: id,
      verdict: 'undetermined',
      reasons: [
        'the page gives no figures for it',
        ...about.filter(({ state }) => state === 'limits').map(say),
      ],
    };
  const rowOf = (figure: string): ClaimRow =>
    claim.rows.find((row) => row.figures.some((one) => one.id === figure))!;
  const differ = sidesDiffer(claim, rowOf(of), rowOf(over));
  const follows = about.filter(({ check, state }) => check === 'ratios' && state === 'agrees');
  const unsure = figures.filter(
    ({ figure, verdict }) => (figure === of || figure === over) && verdict !== 'supported',
  );
  const obstacles = [
    ...about.filter(({ state }) => state === 'limits').map(say),
    ...unsure.map(({ figure, verdict }) => `it rests on ${figure}, which is ${verdict}`),
    ...(differ.length > 0 ? [`unlike is compared: ${differ.join('; ')}`] : []),
    ...(follows.length === 0 ? ['no check computes its factor again'] : []),
  ];
  if (obstacles.length > 0) return { headline: id, verdict: 'undetermined', reasons: obstacles };
  const scope =
    headline.bound === 'exactly'
      ? ''
      : `; "${headline.bound}" is supported for this pair, and says nothing of others`;
  return {
    headline: id,
    verdict: 'supported',
    reasons: [`${follows.map(say).join('; ')}; both its figures are supported, under the same load${scope}`],
  };
}
