/** What a client with given definitions would print of a run as a whole, were it infinitely fast: counts, tokens and rate. Pure. */
import type { Definitions } from './definitions.ts';
import { completedRows } from './expected.ts';
import type { Ledger } from './ledger.ts';
import { NANOS_PER_S } from './time.ts';

export interface RunFigures {
  readonly completed: number;
  readonly failed: number;
  readonly output_tokens: number;
  /** Requests/s by the client's own division; null where it has none, or where the ledger is too short for one. */
  readonly achieved_rps: number | null;
}

function rate(ledger: Ledger, definitions: Definitions, first: number, completed: Int32Array): number | null {
  const all = ledger.rows - first;
  const count = definitions.throughputOf === 'all' ? all : completed.length;
  if (definitions.throughput === 'none' || count === 0) return null;
  let firstSend = Number.POSITIVE_INFINITY;
  let lastSend = 0;
  let lastEnd = 0;
  for (let r = first; r < ledger.rows; r++) {
    const sent = ledger.arrivalNs[r]!;
    const end = definitions.end === 'lastToken' ? ledger.lastNs[r]! : ledger.endNs[r]!;
    firstSend = Math.min(firstSend, sent);
    lastSend = Math.max(lastSend, sent);
    if (!Number.isNaN(end)) lastEnd = Math.max(lastEnd, end);
  }
  const toEnd =
    definitions.throughput === 'firstSendToLastEnd' || definitions.throughput === 'firstGapToLastEnd';
  // The schedule began a gap before the first send: the mean one, as far as the ledger can tell.
  const before =
    definitions.throughput === 'firstGapToLastEnd' && all > 1 ? (lastSend - firstSend) / (all - 1) : 0;
  const span = (toEnd ? lastEnd : lastSend) - firstSend + before;
  const events = definitions.throughput === 'sendGaps' ? count - 1 : count;
  return span > 0 ? (events * NANOS_PER_S) / span : null;
}

/** The figures of a ledger's rows from `first` on. */
export function expectedRun(ledger: Ledger, definitions: Definitions, first = 0): RunFigures {
  const completed = completedRows(ledger, first);
  const tokens = definitions.tokenSource === 'requested' ? ledger.askedTokens : ledger.deliveredTokens;
  return {
    completed: completed.length,
    failed: ledger.rows - first - completed.length,
    output_tokens: completed.reduce((sum, r) => sum + tokens[r]!, 0),
    achieved_rps: rate(ledger, definitions, first, completed),
  };
}
