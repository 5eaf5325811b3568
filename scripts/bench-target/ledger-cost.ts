/** What writing a request down costs: the calls that an exchange makes, alone, in a loop. */

import { requestIdOf } from '../../simulators/reference/request-id.ts';
import { nowNs } from '../../src/system/clock.ts';
import { OUTCOME_INDEX, Recorder } from '../../src/truth/recorder.ts';

const HEADERS = [
  ...['host', '127.0.0.1:8000', 'content-type', 'application/json', 'content-length', '120'],
  ...['x-request-id', 'b0c7c1f0-8d3a-4b61-9a77-0123456789ab'],
];

export interface LedgerCost {
  /** Nothing but the request: arrival, id, answer in one write, end; its three clock readings included. */
  readonly ns_per_request: number;
  /** In addition, for each token that leaves on its own: clock reading and stamp. */
  readonly ns_per_token: number;
}

/** One request as exchange.ts writes it down. */
function record(ledger: Recorder, tokens: number): void {
  const ordinal = ledger.open(Math.round(nowNs()), 7);
  const row = ledger.row(ordinal);
  const id = requestIdOf(HEADERS);
  if (id !== null) ledger.setRequestId(row, id);
  ledger.promptTokens[row] = 8;
  ledger.askedTokens[row] = 16;
  ledger.streamed[row] = 1;
  ledger.idKind[row] = 1;
  if (tokens > 0) ledger.openTokens(row, tokens);
  const first = nowNs();
  ledger.status[row] = 200;
  ledger.firstDueNs[row] = first;
  ledger.firstNs[row] = first;
  ledger.headersNs[row] = first;
  const base = ledger.tokenBase[row]!;
  for (let i = 0; i < tokens; i++) {
    ledger.tokenNs[base + i] = nowNs();
    ledger.deliveredTokens[row] = i + 1;
  }
  ledger.lastNs[row] = first;
  ledger.lastDueNs[row] = first;
  ledger.endNs[row] = nowNs();
  ledger.outcome[row] = OUTCOME_INDEX.complete;
  ledger.deliveredTokens[row] = 16;
}

function perRequest(requests: number, tokens: number): number {
  const ledger = new Recorder({ requests, tokens: requests * tokens });
  const start = nowNs();
  for (let i = 0; i < requests; i++) record(ledger, tokens);
  return (nowNs() - start) / requests;
}

/** First touch of every page included, since a real run pays for it too. */
export function ledgerCost(): LedgerCost {
  perRequest(20_000, 16);
  const request = perRequest(300_000, 0);
  return { ns_per_request: request, ns_per_token: (perRequest(100_000, 16) - request) / 16 };
}
