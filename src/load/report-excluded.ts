/** What the report says of requests that were left out at the start. */

import type { LoadWarning } from './warning.ts';

export interface ExcludedReport {
  /** As it is spelled. */
  readonly rule: string;
  /** Requests that ended and are in no figure, and how many of them were complete. */
  readonly requests: number;
  readonly complete: number;
  /** From when on requests count, s after the start: the first one's scheduled instant (closed loop: the time); null where nothing was left out, or by number in a closed loop. */
  readonly from_s: number | null;
  /** With `steady`: what the series was of, and how many values it had. */
  readonly series: 'ttft' | 'e2e' | null;
  readonly values: number | null;
  /** Why nothing was left out though it was asked. */
  readonly absent?: string;
}

export const NOT_STEADY = 'not-steady';

/** A steady part was asked for, and there is none: the figures are of everything. */
export function excludedWarning({ excluded }: { readonly excluded: ExcludedReport | null }): LoadWarning[] {
  if (excluded?.absent === undefined) return [];
  return [
    {
      code: NOT_STEADY,
      evidence: `--exclude ${excluded.rule} left nothing out: ${excluded.absent}`,
      remedy:
        'the figures are of the whole run, its start and what changed in it: run for longer, or at a lower rate',
    },
  ];
}
