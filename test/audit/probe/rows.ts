/** Rows of a probe ledger, made by hand. */
import type { ProbeLedgerRow } from '../../../src/truth/probe-ledger.ts';

/** The k-th request: 50 ms behind the one before it, on a connection of its own. */
export const row = (k: number, change: Partial<ProbeLedgerRow> = {}): ProbeLedgerRow => ({
  probe: 'plain',
  place: k,
  warm_up: false,
  ordinal: k,
  connection: k,
  on_connection: 0,
  request_id: `r${k}`,
  response_id: `chatcmpl-${k}`,
  kind: 'chat',
  streamed: true,
  asked_tokens: 50,
  include_usage: true,
  ignore_eos: true,
  prompt_tokens: 16,
  arrival_ns: k * 50e6,
  read_ns: k * 50e6,
  writes: [],
  end_ns: null,
  outcome: 'complete',
  client_closed_ns: null,
  ...change,
});
