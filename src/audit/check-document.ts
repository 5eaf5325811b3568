/** The result of `tare check`, as it leaves the process. */
import type { ClientCheck } from './run-definition-check.ts';

export const CHECK_SCHEMA = 'tare-check/1';

export interface CheckDocument {
  readonly schema: typeof CHECK_SCHEMA;
  readonly tare_version: string;
  readonly started_at: string;
  /** What the target gave in every pass. */
  readonly workload: { readonly rate_rps: number; readonly requests: number; readonly latency: string };
  readonly passes: readonly { readonly name: string; readonly role: string; readonly tail_ms: number }[];
  /**
   * Our own client under the same check, blocking in the kernel between events: what it is off by, this machine cannot tell from zero.
   * null where it could not be run.
   */
  readonly floor: ClientCheck | null;
  readonly clients: readonly ClientCheck[];
}

/** Whether a difference could be this machine's own. */
export function withinFloor(document: CheckDocument, metric: string, difference_ms: number): boolean {
  const own = document.floor?.checks?.find((check) => check.metric === metric)?.difference_ms ?? null;
  return own !== null && Math.abs(difference_ms) <= Math.abs(own);
}
