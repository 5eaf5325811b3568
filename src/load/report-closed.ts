/** What a report says of a closed loop. */
import { type ClosedLoopSpec, littleCheck } from '../measure/load/closed-loop.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import type { ClosedWatch } from './closed-loop.ts';
import type { LoadWarning } from './warning.ts';

export interface ClosedLoopReport {
  /** Virtual users, and so the most requests under way at once. */
  readonly concurrency: number;
  readonly think_ms: number;
  readonly stagger_ms: number;
  /** Nothing was begun from here on; null: the number of requests ended it. */
  readonly duration_s: number | null;
  /** The figures below are taken from when all users had begun to the last send: so long, in the mean over the workers. */
  readonly watched_s: number;
  /** Requests that ended a second, whichever way: what the loop came to. It is a result, not a setting. */
  readonly achieved_rps: number | null;
  /** Requests under way, averaged over time. */
  readonly mean_in_flight: number | null;
  /** Little's law: achieved rate × mean E2E from sent; what of mean_in_flight that is; and the users that it accounts for with their think time. */
  readonly rate_times_e2e: number | null;
  readonly little_ratio: number | null;
  readonly users_accounted: number | null;
  /** Why figures are null. */
  readonly absent?: string;
  /** What such a figure is not. */
  readonly caution: string;
}

/** Why a closed loop has no process of arrivals. */
export const NO_ARRIVALS =
  'arrivals: a closed loop has none, each user sends when the former answer has ended';

export const NO_SCHEDULE = 'closed loop: no request has a scheduled instant';

const CAUTION =
  'a closed loop hides queueing (coordinated omission): when the server slows down, it is asked less often, so the wait of those who would have come meanwhile is in no figure. Its latencies hold for this concurrency, not for users who come by themselves';

export function closedReport(
  spec: ClosedLoopSpec,
  workers: readonly ClosedWatch[],
  meanE2eNs: number,
): ClosedLoopReport {
  const seen = workers.filter((w) => w.elapsedNs > 0);
  const sum = (of: (w: ClosedWatch) => number): number => seen.reduce((total, w) => total + of(w), 0);
  const watchedS = seen.length === 0 ? 0 : sum((w) => w.elapsedNs) / seen.length / NANOS_PER_S;
  const rate = seen.length === 0 ? null : sum((w) => w.ended / (w.elapsedNs / NANOS_PER_S));
  const inFlight = seen.length === 0 ? null : sum((w) => w.busyNs / w.elapsedNs);
  const little = littleCheck(inFlight ?? Number.NaN, rate, meanE2eNs / NANOS_PER_S, spec.thinkS);
  return {
    concurrency: spec.users,
    think_ms: spec.thinkS * 1000,
    stagger_ms: spec.staggerS * 1000,
    duration_s: spec.durationS,
    watched_s: watchedS,
    achieved_rps: rate,
    mean_in_flight: inFlight,
    rate_times_e2e: little?.rateTimesTime ?? null,
    little_ratio: little?.ratio ?? null,
    users_accounted: little?.users ?? null,
    ...(little === null
      ? {
          absent:
            seen.length === 0 ? 'no request was sent after all users had begun' : 'no request succeeded',
        }
      : {}),
    caution: CAUTION,
  };
}

export const CLOSED_LOOP = 'closed-loop';
export const LITTLE = 'time-unaccounted';
/** Little's law off by more than this share … */
const MAX_OFF = 0.05;
/** … says something only when so many requests ended for each user, and all of them succeeded: at the borders of the time each user has one that is partly out of it. */
const LEAST_EACH = 50;

/** What is looked at of a report. */
interface ClosedDraft {
  readonly closed_loop: ClosedLoopReport | null;
  readonly counts: { readonly failed: number; readonly complete: number };
}

/** The note that every closed loop has. */
export function closedNote({ closed_loop: loop }: Pick<ClosedDraft, 'closed_loop'>): LoadWarning[] {
  if (loop === null) return [];
  const rate = loop.achieved_rps === null ? '' : `; it came to ${loop.achieved_rps.toFixed(1)} requests/s`;
  return [
    {
      code: CLOSED_LOOP,
      evidence: `${loop.concurrency} users, each of whom waits for the answer${rate}`,
      remedy: `${loop.caution}. For the latency at a rate give --rate`,
    },
  ];
}

/** Where requests took time that no response time holds. */
export function littleWarning({ closed_loop: loop, counts }: ClosedDraft): LoadWarning[] {
  const off = loop?.little_ratio ?? null;
  if (loop === null || off === null || Math.abs(off - 1) <= MAX_OFF) return [];
  if (counts.failed > 0 || counts.complete < LEAST_EACH * loop.concurrency) return [];
  return [
    {
      code: LITTLE,
      evidence: `${loop.mean_in_flight!.toFixed(2)} requests were under way in the mean, but rate × E2E is ${loop.rate_times_e2e!.toFixed(2)} (Little's law)`,
      remedy:
        'requests took time that is not between their send and their last token: in this client before the send, or until the end of the response; use more --workers, and see `headers` and the answers’ ends in --records',
    },
  ];
}
