import { expect, it } from 'vitest';
import { ledgerAgainstWire, spread } from '../../src/measure/wire.ts';
import { ledgerOf } from './ledger-builder.ts';

const column = (...ms: number[]) => Float64Array.from(ms, (one) => one * 1e6);

it('holds durations of one against those of the other, and instants against instants', () => {
  // Three requests of 10 and 20 ms by the ledger; the second was broken off, the third never seen.
  const ledger = ledgerOf([
    { at: 100, tokens: [10, 20], end: 21 },
    { at: 200, tokens: [10, 20], end: 21, outcome: 'clientClosed' },
    { at: 300, tokens: [10, 20], end: 21 },
  ]);
  const wire = {
    requestNs: column(99.5, 199, Number.NaN),
    headNs: column(110.25, 210, Number.NaN),
    firstNs: column(110.25, 210, Number.NaN),
    lastNs: column(120.125, 220, Number.NaN),
    endNs: column(120.875, 221, Number.NaN),
    joined: 2,
  };
  const found = ledgerAgainstWire(ledger, wire, 0, 1000);
  const one = (ms: number) => ({ n: 1, p50_ms: ms, p99_ms: ms });
  expect(found).toMatchObject({
    request_to_arrival_ms: one(0.5),
    first_to_wire_ms: one(0.25),
    wire_to_end_ms: one(0.125),
    ttft_apart_ms: one(0.75),
    e2e_apart_ms: one(0.625),
    impossible: 0,
  });
  expect([found.ledger.ttft.p50_ms, found.wire.ttft.p50_ms]).toEqual([10, 10.75]);
  expect([found.ledger.e2e.p50_ms, found.wire.e2e.p50_ms]).toEqual([20, 20.625]);
  // The clocks would have to be half a millisecond apart for the ledger to be ahead of the wire.
  const early = { ...wire, requestNs: column(100.4, 199, Number.NaN) };
  expect(ledgerAgainstWire(ledger, early, 0, 1000).impossible).toBe(1);
  expect(ledgerAgainstWire(ledger, early, 0, 500_000).impossible).toBe(0);
});

it('has no quantiles of nothing', () => {
  expect(spread([Number.NaN])).toEqual({ n: 0, p50_ms: null, p99_ms: null });
});
