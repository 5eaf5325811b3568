import { expect, it } from 'vitest';
import { joinWire } from '../../../src/truth/wire/join-wire.ts';
import { newRequest, type WireRequest } from '../../../src/truth/wire/wire-request.ts';
import { ledgerOf } from '../../measure/ledger-builder.ts';

const request = (ms: number, given: Partial<WireRequest>): WireRequest => ({
  ...newRequest(given.connection ?? 0),
  requestNs: ms * 1e6,
  firstNs: (ms + 1) * 1e6,
  ending: 'seen',
  ...given,
});
const row = (at: number, given: { responseId?: string; requestId?: string; connection?: number }) => ({
  at,
  tokens: [1],
  ...given,
});
const requestsMs = (rows: Float64Array) => [...rows].map((ns) => ns / 1e6);

it('joins by the id of the answer, else by the id of the request, else by order on a connection that these made known', () => {
  const ledger = ledgerOf([
    row(1, { responseId: 'a', connection: 4 }),
    row(2, { responseId: 'none', requestId: 'x', connection: 5 }),
    row(3, { responseId: 'refused', connection: 4 }),
    row(4, { responseId: 'alone', connection: 6 }),
  ]);
  const found = joinWire(ledger, [
    request(0.9, { responseId: 'a', connection: 0 }),
    request(1.9, { requestId: 'x', connection: 1 }),
    request(2.9, { connection: 0 }),
    request(3.9, { connection: 2 }),
  ]);
  expect(requestsMs(found.requestNs)).toEqual([0.9, 1.9, 2.9, Number.NaN]);
  expect(found.joined).toBe(3);
});

it('joins nothing by an id that names several, nor by order where the counts differ', () => {
  const ledger = ledgerOf([
    row(1, { responseId: 'a', requestId: 'again', connection: 0 }),
    row(2, { responseId: 'b', requestId: 'again', connection: 0 }),
    row(3, { responseId: 'c', connection: 0 }),
  ]);
  const found = joinWire(ledger, [
    request(0.9, { requestId: 'again', connection: 0 }),
    request(2.9, { responseId: 'c', connection: 0 }),
  ]);
  expect(requestsMs(found.requestNs)).toEqual([Number.NaN, Number.NaN, 2.9]);
});

it.each([{ hasGap: true }, { ending: 'unseen' }] as const)(
  'leaves out what the capture saw in part only: %o',
  (part) => {
    const found = joinWire(ledgerOf([row(1, { responseId: 'a' })]), [
      request(0.9, { responseId: 'a', ...part }),
    ]);
    expect(found.joined).toBe(0);
    expect(found.firstNs).toEqual(Float64Array.of(Number.NaN));
  },
);
