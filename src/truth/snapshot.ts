/** Turns the recorder's columns into a ledger: what load has written down so far, in order of arrival. */
import { type LatencyModel, schedule } from '../measure/latency.ts';
import type { Ledger, LedgerMeta } from '../measure/ledger.ts';
import { ID_KIND, type Recorder } from './recorder.ts';

/** What is needed to compute again when each token was due. */
export interface Injection {
  readonly model: LatencyModel;
  readonly seed: number;
}

/** The payload id of the request with this ordinal; `tag` is the target's own eight hexadecimal digits. */
export const payloadId = (kind: 'chat' | 'text', tag: string, ordinal: number): string =>
  `${kind === 'chat' ? 'chatcmpl' : 'cmpl'}-${tag}${ordinal.toString(16).padStart(8, '0')}`;

function responseId(recorder: Recorder, row: number, tag: string): string | null {
  const kind = recorder.idKind[row];
  if (kind === ID_KIND.none) return null;
  return payloadId(kind === ID_KIND.chat ? 'chat' : 'text', tag, row);
}

/** Tokens of a row that have stamps of their own. */
const stamped = (recorder: Recorder, row: number): number =>
  recorder.tokenBase[row]! < 0 ? 0 : recorder.deliveredTokens[row]!;

/**
 * The ledger of what the recorder holds. Fixed columns are views, not copies: take it when no request is being written
 * down any more. Due instants of tokens are computed from the seed, which is why they need no memory during load.
 */
export function snapshot(recorder: Recorder, injection: Injection, tag: string, meta: LedgerMeta): Ledger {
  const rows = recorder.rows;
  const tokenStart = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++) tokenStart[row + 1] = tokenStart[row]! + stamped(recorder, row);
  const tokenNs = new Float64Array(tokenStart[rows]!);
  const tokenDueNs = new Float64Array(tokenStart[rows]!);
  const requestId: (string | null)[] = new Array(rows);
  const responseIds: (string | null)[] = new Array(rows);
  for (let row = 0; row < rows; row++) {
    requestId[row] = recorder.requestId(row);
    responseIds[row] = responseId(recorder, row, tag);
    const count = stamped(recorder, row);
    if (count === 0) continue;
    const base = recorder.tokenBase[row]!;
    const from = tokenStart[row]!;
    tokenNs.set(recorder.tokenNs.subarray(base, base + count), from);
    schedule(injection.model, injection.seed, row, recorder.promptTokens[row]!, count, tokenDueNs, from);
    const startNs = recorder.arrivalNs[row]! + (recorder.queuedNs[row]! || 0);
    for (let i = from; i < from + count; i++) tokenDueNs[i]! += startNs;
  }
  return {
    rows,
    meta,
    arrivalNs: recorder.arrivalNs.subarray(0, rows),
    headersNs: recorder.headersNs.subarray(0, rows),
    ...(meta.slots === undefined ? {} : { queuedNs: recorder.queuedNs.subarray(0, rows) }),
    firstDueNs: recorder.firstDueNs.subarray(0, rows),
    firstNs: recorder.firstNs.subarray(0, rows),
    lastDueNs: recorder.lastDueNs.subarray(0, rows),
    lastNs: recorder.lastNs.subarray(0, rows),
    endNs: recorder.endNs.subarray(0, rows),
    promptTokens: recorder.promptTokens.subarray(0, rows),
    askedTokens: recorder.askedTokens.subarray(0, rows),
    deliveredTokens: recorder.deliveredTokens.subarray(0, rows),
    status: recorder.status.subarray(0, rows),
    outcome: recorder.outcome.subarray(0, rows),
    connection: recorder.connection.subarray(0, rows),
    streamed: recorder.streamed.subarray(0, rows),
    requestId,
    responseId: responseIds,
    tokenStart,
    tokenNs,
    tokenDueNs,
  };
}
