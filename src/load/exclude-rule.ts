/** What may be left out of the figures at a run's start: the rule, its spelling, and what it comes to. */

/** The first so many seconds or requests (by scheduled instant); or `steady`: until the series is steady by the rule in docs/load.md. */
export type ExcludeRule =
  | { readonly kind: 'time'; readonly s: number }
  | { readonly kind: 'requests'; readonly n: number }
  | { readonly kind: 'steady' };

/** Requests before this number are left out, and those sent before this time (of a closed loop, where none has a scheduled instant). */
export interface Exclusion {
  readonly fromIndex: number;
  /** ns after the start. */
  readonly fromNs: number;
}

/** Parses `5s`, `100`, `100 requests` or `steady`. Throws an Error. */
export function parseExclude(text: string): ExcludeRule {
  const trimmed = text.trim();
  if (trimmed === 'steady') return { kind: 'steady' };
  const requests = /^(\d+)(\s*requests?)?$/.exec(trimmed);
  if (requests !== null && Number(requests[1]) > 0) return { kind: 'requests', n: Number(requests[1]) };
  const time = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(trimmed);
  const s = time === null ? 0 : Number(time[1]) * { ms: 0.001, s: 1, m: 60 }[time[2] as 'ms' | 's' | 'm'];
  if (s > 0) return { kind: 'time', s };
  throw new Error('it must be a time (5s), a number of requests (100) or steady.');
}

/** A rule as it is spelled. */
export const formatExclude = (rule: ExcludeRule): string =>
  rule.kind === 'steady' ? 'steady' : rule.kind === 'time' ? `${rule.s}s` : `${rule.n} requests`;

/** Requests that were left out. */
export interface ExcludedCounts {
  readonly ended: number;
  readonly complete: number;
}
