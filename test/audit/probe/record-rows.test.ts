import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '../../../adapters/contract.ts';
import { recordRows } from '../../../src/audit/probe/record-rows.ts';
import { mixed } from '../../../src/audit/probe/together.ts';
import { row } from './rows.ts';

const record = (k: number, change: Partial<ClientRecord> = {}): ClientRecord => ({
  requestId: `r${k}`,
  responseId: `chatcmpl-${k}`,
  startNs: k * 50e6,
  ok: true,
  ttftMs: k,
  e2eMs: 1180,
  itlMs: null,
  outputTokens: 50,
  ...change,
});
const rows = [0, 1, 2, 3].map((k) => row(k));
const join = (records: ClientRecord[], joins: 'requestId' | 'responseId' | 'none', more: object = {}) =>
  recordRows({ records, failed: 0, ...more }, rows, { joins, ...more });
const names = (got: ReturnType<typeof recordRows>) => got.record.map((one) => (one ? one.ttftMs : one));

describe('records and rows', () => {
  it('join by id, in whatever order they are kept', () => {
    const kept = [record(2), record(0), record(3), record(1)];
    expect(names(join(kept, 'requestId'))).toEqual([0, 1, 2, 3]);
    expect(names(join(kept, 'responseId'))).toEqual([0, 1, 2, 3]);
  });

  it('join by order where an answer had no id', () => {
    const kept = [record(3), record(1, { responseId: null }), record(0), record(2)];
    expect(names(join(kept, 'responseId'))).toEqual([0, 1, 2, 3]);
  });

  it('join by order where nothing else can be had', () => {
    const kept = [0, 1, 2, 3].map((k) => record(k, { requestId: null, responseId: null, startNs: null }));
    expect(names(join(kept, 'none', { recordsAsSent: true }))).toEqual([0, 1, 2, 3]);
    // Written as they ended, for all that is known: their order tells nothing.
    expect(names(join(kept, 'none'))).toEqual(new Array(4).fill(undefined));
  });

  it('a client that keeps successes only: the rows that are left failed', () => {
    expect(names(join([record(3), record(0)], 'requestId', { failed: 2 }))).toEqual([0, null, null, 3]);
  });

  it('a record that is in no count is lost, and its request is not called failed', () => {
    expect(names(join([record(3), record(0)], 'requestId', { failed: 0 }))).toEqual([
      0,
      undefined,
      undefined,
      3,
    ]);
  });

  it('what cannot be told is not guessed, and says why', () => {
    const kept = [record(0), record(1, { responseId: null })];
    const got = join(kept, 'responseId');
    expect(names(got)).toEqual([0, undefined, undefined, undefined]);
    expect(got.reason).toContain('2 records where 4 requests arrived');
  });
});

describe('probes in one run', () => {
  const ids = Array.from({ length: 17 }, (_, i) => `p${i}`);

  it('have three requests each, one a round, and whole seconds in all', () => {
    const slots = mixed(ids, 1);
    for (const id of ids) expect(slots.filter((slot) => slot === id)).toHaveLength(3);
    for (let round = 0; round < 3; round++)
      expect(slots.slice(20 * round, 20 * (round + 1)).toSorted()).toEqual(
        [...ids, 'plain', 'plain', 'plain'].toSorted(),
      );
    expect(slots.length % 40).toBe(0);
    expect(slots.filter((slot) => slot === 'plain')).toHaveLength(9 + 80 - 60);
  });

  it('stand in an order that the seed gives, another one each round', () => {
    expect(mixed(ids, 7)).toEqual(mixed(ids, 7));
    expect(mixed(ids, 7)).not.toEqual(mixed(ids, 8));
    const slots = mixed(ids, 7);
    expect(slots.slice(0, 17)).not.toEqual(slots.slice(17, 34));
  });
});
