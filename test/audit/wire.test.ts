import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '../../adapters/contract.ts';
import type { AuditPlan, Floor, Trial } from '../../src/audit/document.ts';
import type { Pairing } from '../../src/audit/pairing.ts';
import { compareWire, type Witness, wireAgreementMs } from '../../src/audit/wire.ts';
import { wireDisagrees, wireLoss, wireLost } from '../../src/audit/wire-warnings.ts';
import { STANDARD } from '../../src/measure/definitions.ts';
import { newRequest, type WireRequest } from '../../src/truth/wire/wire-request.ts';
import { ledgerOf } from '../measure/ledger-builder.ts';

const request = (responseId: string, ms: readonly number[]): WireRequest => {
  const [requestNs, headNs, firstNs, lastNs, endNs] = ms.map((one) => one * 1e6);
  return {
    ...newRequest(0),
    responseId,
    requestNs,
    headNs,
    firstNs,
    lastNs,
    endNs,
    ending: 'seen',
  } as WireRequest;
};

const witness = (requests: readonly WireRequest[], dropped: number | null = 0): Witness => ({
  capture: {
    requests,
    otherRequests: 1,
    connections: 1,
    notUnderstood: {},
    packets: 99,
    unseenBytes: 0,
    isTruncated: false,
  },
  counts: { captured: 99, dropped },
  captureBytes: 1000,
  uncertaintyNs: 100,
});

const ledger = ledgerOf([
  { at: 100, headers: 9, tokens: [10, 20], end: 21, responseId: 'a' },
  { at: 200, headers: 9, tokens: [10, 20], end: 21, responseId: 'b' },
]);
const seen = [
  request('a', [99.5, 109.25, 110.25, 120.25, 120.75]),
  request('b', [199.5, 209.25, 210.25, 220.25, 220.75]),
];
const record = { ok: true, ttftMs: 12, e2eMs: 25 } as ClientRecord;
const pairing = { records: [record, record], row: Int32Array.of(0, -1) } as unknown as Pairing;

const comparedWith = (one: Witness) => compareWire(one, ledger, 0, pairing, STANDARD).figures;
const trial = (wire: Trial['wire']): Trial => ({ id: 'asyncio-100rps-r1', wire }) as Trial;

describe('what a witness says', () => {
  it('beside the ledger, in words and as what the floor is raised to', () => {
    const figures = comparedWith(witness(seen));
    expect(figures).toMatchObject({ requests: 2, joined: 2, joined_share: 1, loss_share: 0 });
    expect(figures.statement).toBe(
      'ledger and wire agree within 0.750 ms (p50) / 0.750 ms (p99) on TTFT, 0.750 / 0.750 ms on E2E',
    );
    expect(wireAgreementMs(trial(figures))).toEqual({ p50: 0.75, p99: 0.75 });
  });

  it.each([
    // From 99.5: the first token at 110.25, the last at 120.25; the head at 109.25, the end at 120.75.
    [STANDARD, 12 - 10.75, 25 - 20.75],
    [{ ...STANDARD, ttft: 'headers', end: 'responseEnd' } as const, 12 - 9.75, 25 - 21.25],
  ])(
    'beside what the client reported of the requests that it was joined with: %#',
    (definitions, ttft, e2e) => {
      const { client_minus_wire } = compareWire(witness(seen), ledger, 0, pairing, definitions).figures;
      expect(client_minus_wire).toEqual({
        ttft_ms: { n: 1, p50_ms: ttft, p99_ms: ttft },
        e2e_ms: { n: 1, p50_ms: e2e, p99_ms: e2e },
      });
    },
  );

  it('of a capture that ended early leaves the requests in flight out, and counts them', () => {
    const cut = { ...seen[1]!, lastNs: 215e6, endNs: 215e6, ending: 'unseen' } as const;
    const early = witness([seen[0]!, cut], null);
    const figures = comparedWith({ ...early, capture: { ...early.capture, isTruncated: true } });
    expect(figures).toMatchObject({ requests: 2, joined: 1, unfinished: 1, is_truncated: true });
    expect(figures.against!.e2e_apart_ms).toEqual({ n: 1, p50_ms: 0.75, p99_ms: 0.75 });
    expect(figures.statement).toMatch(
      /; 1 requests whose answer .*; the capture file ends.*; tcpdump gave no/,
    );
    const alone = compareWire(early, null, 0, null, STANDARD).figures;
    expect(alone.realized.e2e).toMatchObject({ n: 1, p50_ms: 20.75 });
  });

  it('says which connections it could not read', () => {
    const one = witness(seen);
    const found = comparedWith({ ...one, capture: { ...one.capture, notUnderstood: { 'HTTP/2': 1 } } });
    expect(found.statement).toMatch(/of 1 connections 1 of HTTP\/2 could not be read/);
  });

  it('without a ledger is its own account alone', () => {
    const { figures, rows } = compareWire(witness(seen), null, 0, null, STANDARD);
    expect(rows).toBeNull();
    expect(figures).toMatchObject({
      joined: null,
      joined_share: null,
      against: null,
      client_minus_wire: null,
    });
    expect(figures.realized.ttft.p50_ms).toBe(10.75);
    expect(wireAgreementMs(trial(figures))).toBeNull();
  });

  it('where nothing was joined is no agreement', () => {
    const figures = comparedWith(witness([]));
    expect(figures.against).toBeNull();
    expect(figures.statement).toMatch(/no request/);
    expect(wireAgreementMs(trial(null))).toBeNull();
  });
});

describe('warnings', () => {
  it('name the worst loss, by packets or by bytes that were never seen', () => {
    const lossy = comparedWith(witness(seen, 1));
    expect(lossy.loss_share).toBe(0.01);
    expect(wireLoss([trial(comparedWith(witness(seen))), trial(lossy)])).toMatch(/1 dropped \(1.00 %\)/);
    expect(wireLoss([trial({ ...lossy, dropped: 0, loss_share: 0, unseen_bytes: 5 })])).toMatch(/5 bytes/);
    expect(wireLoss([trial(comparedWith(witness(seen.slice(1))))])).toMatch(/50.00 % of the ledger's/);
    expect(wireLoss([trial(comparedWith(witness(seen))), trial(null)])).toBeNull();
  });

  it('say where the witness that was asked for is missing, or may have gone early', () => {
    const plan = { wire: 'read' } as AuditPlan;
    const ran = (wire: Trial['wire']) =>
      ({ ...trial(wire), outcome: { kind: 'measured' } }) as unknown as Trial;
    const whole = ran(comparedWith(witness(seen)));
    expect(wireLost(plan, [whole])).toBeNull();
    expect(wireLost({} as AuditPlan, [ran(null)])).toBeNull();
    expect(wireLost(plan, [whole, ran(null)])).toMatch(
      /1 of 2 trials there is no capture.*asyncio-100rps-r1/,
    );
    expect(wireLost(plan, [ran(comparedWith(witness(seen, null)))])).toMatch(/without its account/);
    expect(wireLost(plan, [ran({ ...whole.wire!, not_understood: { 'HTTP/2': 2 } })])).toMatch(/HTTP\/1.1/);
    const never = { ...trial(null), outcome: { kind: 'incomplete', reason: '' } } as Trial;
    expect(wireLost(plan, [never])).toBeNull();
    expect(wireLoss([ran({ ...whole.wire!, unfinished: 3 })])).toMatch(/3 answers not seen to their end/);
  });

  it('say that ledger and wire are apart by more than the floor', () => {
    const floor = (ms: number) => ({ floor_ms: { ttft: { p50: ms, p99: ms } } }) as unknown as Floor;
    const trials = [trial(comparedWith(witness(seen)))];
    expect(wireDisagrees(trials, floor(0.7))).toMatch(/within 0.750 ms/);
    expect(wireDisagrees(trials, floor(0.8))).toBeNull();
    // Without a floor a millisecond is the limit.
    expect(wireDisagrees(trials, null)).toBeNull();
    const { wire } = trials[0]!;
    const against = {
      ...wire!.against!,
      ttft_apart_ms: { ...wire!.against!.ttft_apart_ms, p50_ms: 1.2, p99_ms: 1.2 },
    };
    expect(wireDisagrees([trial({ ...wire!, against })], null)).toMatch(
      /farther apart than 1 ms \(there is no floor\)/,
    );
  });
});
