/** What a fault may change in a worker. A healthy run has none of it: one look at a field for each request is all it pays. */
import type { Schedule, ScheduleSpec } from '../../measure/schedule.ts';
import type { MakeConnection } from '../connection-list.ts';
import type { Arrivals, PacerHost } from '../pacer.ts';
import type { Ended } from '../recorder.ts';
import type { Share } from '../share.ts';
import type { Spooled } from '../spool.ts';

/** A request that has ended, as the figures and the records take it. */
export type Seen = Ended & Spooled;

/** One that may be changed. */
export type Altered = { -readonly [Key in keyof Seen]: Seen[Key] };

/** What a fault has of the run. */
export interface FaultRun {
  /** The common start, ns. */
  readonly startNs: number;
  readonly now: () => number;
  /** Hands a request to the connections, as the healthy client does when it is due. */
  readonly send: (index: number, scheduledNs: number) => void;
  /** Takes a request into the figures and the records. */
  readonly keep: (seen: Seen) => void;
  /** Nothing more may follow: to be called when an arrival passed without being sent. */
  readonly settle: () => void;
  /** A pacing host of the fault's own. */
  readonly host: () => PacerHost;
}

export interface Fault {
  /** The schedule that it keeps to in place of the one that was asked. */
  readonly schedule?: (spec: ScheduleSpec) => Schedule;
  /** Stands between schedule and connections: when an arrival leaves, whether, and how often. */
  readonly arrivals?: (share: Share, run: FaultRun) => Arrivals;
  /** What it takes a request for that has ended; null: for none at all. */
  readonly see?: (ended: Seen) => Seen | null;
  /** Connections that read in another way. */
  readonly connect?: MakeConnection;
  /** A connection serves one request. */
  readonly fresh?: true;
  /** Goes on beside the run; returns what ends it. */
  readonly beside?: (run: FaultRun) => () => void;
}

/** A copy that may be changed, with stamps of its own. */
export const copyOf = (r: Seen): Altered => ({
  index: r.index,
  scheduledNs: r.scheduledNs,
  sentNs: r.sentNs,
  headersNs: r.headersNs,
  firstNs: r.firstNs,
  firstAnswerNs: r.firstAnswerNs,
  lastNs: r.lastNs,
  endNs: r.endNs,
  status: r.status,
  outcome: r.outcome,
  failure: r.failure,
  retryAfter: r.retryAfter,
  answerDate: r.answerDate,
  tries: r.tries,
  firstSentNs: r.firstSentNs,
  kinds: r.kinds,
  completionTokens: r.completionTokens,
  promptTokens: r.promptTokens,
  tokens: r.tokens,
  stampCount: r.stampCount,
  stamps: r.stamps.slice(0, r.stampCount),
  scanner: r.scanner,
});

const INSTANTS = ['sentNs', 'headersNs', 'firstNs', 'firstAnswerNs', 'lastNs', 'endNs'] as const;

/** A copy with every instant of what happened changed; the scheduled one stays. */
export function withInstants(r: Seen, change: (ns: number) => number): Altered {
  const copy = copyOf(r);
  for (const key of INSTANTS) copy[key] = change(copy[key]);
  copy.stamps = copy.stamps.map(change);
  return copy;
}
