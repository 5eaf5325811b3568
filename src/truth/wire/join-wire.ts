/** What the wire saw, by row of the ledger. */
import type { Ledger } from '../../measure/ledger.ts';
import type { WireRows } from '../../measure/wire.ts';
import { isWhole, type WireRequest } from './wire-request.ts';

type IdKey = 'responseId' | 'requestId';

/** Values by id; an id that occurs twice names none. */
function unique<T>(items: Iterable<readonly [id: string | null, item: T]>): Map<string, T | null> {
  const found = new Map<string, T | null>();
  for (const [id, item] of items) if (id !== null) found.set(id, found.has(id) ? null : item);
  return found;
}

/**
 * Joins by the id in the answer's payload, which the target gives each answer anew; what is left by the request's own id; and what is
 * still left (an answer without a payload) by order, on connections that the others have made known and that carried as many on both sides.
 */
export function joinWire(ledger: Ledger, requests: readonly WireRequest[]): WireRows {
  const column = () => new Float64Array(ledger.rows).fill(Number.NaN);
  const [requestNs, headNs, firstNs, lastNs, endNs] = [column(), column(), column(), column(), column()];
  const requestOf: (WireRequest | undefined)[] = Array.from({ length: ledger.rows });
  const isJoined = new Set<WireRequest>();
  const join = (row: number, request: WireRequest) => {
    requestOf[row] = request;
    isJoined.add(request);
  };
  for (const key of ['responseId', 'requestId'] as const satisfies IdKey[]) {
    const left = requests.filter((request) => !isJoined.has(request));
    if (left.length === 0) break;
    const byId = unique(left.map((request) => [request[key], request]));
    const rowsOf = unique(ledger[key].map((id, row) => [id, row]));
    for (const [id, row] of rowsOf) {
      const request = byId.get(id);
      if (row !== null && request && requestOf[row] === undefined) join(row, request);
    }
  }
  joinByOrder(ledger, requests, requestOf, join);
  let joined = 0;
  for (const [row, request] of requestOf.entries()) {
    if (request === undefined || !isWhole(request)) continue;
    joined++;
    requestNs[row] = request.requestNs;
    headNs[row] = request.headNs;
    firstNs[row] = request.firstNs;
    lastNs[row] = request.lastNs;
    endNs[row] = request.endNs;
  }
  return { requestNs, headNs, firstNs, lastNs, endNs, joined };
}

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function joinByOrder(
  ledger: Ledger,
  requests: readonly WireRequest[],
  requestOf: readonly (WireRequest | undefined)[],
  join: (row: number, request: WireRequest) => void,
): void {
  const rowsOn = grouped(requestOf.keys(), (row) => ledger.connection[row]!);
  const requestsOn = grouped(requests, ({ connection }) => connection);
  for (const rows of rowsOn.values()) {
    const known = rows.find((row) => requestOf[row] !== undefined);
    if (known === undefined || rows.every((row) => requestOf[row] !== undefined)) continue;
    const own = requestsOn.get(requestOf[known]!.connection)!;
    if (own.length !== rows.length) continue;
    for (const [i, row] of rows.entries()) if (requestOf[row] === undefined) join(row, own[i]!);
  }
}
