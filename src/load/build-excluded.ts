/** The report's account of what was left out at the start. */
import { type ExcludedCounts, type Exclusion, formatExclude } from './exclude-rule.ts';
import type { LoadOptions } from './options.ts';
import type { ExcludedReport } from './report-excluded.ts';
import type { SteadyCut } from './steady.ts';

/** null without a rule. */
export function excludedReport(
  { exclude }: LoadOptions,
  exclusion: Exclusion | null,
  fromS: number | null,
  counts: readonly (ExcludedCounts | undefined)[],
  steady: SteadyCut | null,
): ExcludedReport | null {
  if (exclude === null) return null;
  const sum = (key: keyof ExcludedCounts): number => counts.reduce((n, c) => n + (c?.[key] ?? 0), 0);
  const refused = steady?.truncation.state === 'refused' ? steady.truncation.why : null;
  return {
    rule: formatExclude(exclude),
    requests: sum('ended'),
    complete: sum('complete'),
    from_s: exclusion === null ? null : fromS,
    series: steady?.series ?? null,
    values: steady?.values ?? null,
    ...(refused === null ? {} : { absent: refused }),
  };
}
