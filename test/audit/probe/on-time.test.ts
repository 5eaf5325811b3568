import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '../../../adapters/contract.ts';
import { latenessAt, medianLateness, onTime } from '../../../src/audit/probe/on-time.ts';
import { row } from './rows.ts';

const at = (ms: number, late: number) => ({ due_ns: ms * 1e6, at_ns: (ms + late) * 1e6 });
const late = row(0, { read_ns: 0, writes: [at(5, 0), at(200, 30), at(1180, 7), at(1480, 0)] });
const record: ClientRecord = {
  requestId: null,
  responseId: null,
  startNs: null,
  ok: true,
  ttftMs: 231,
  e2eMs: 1188,
  itlMs: [20],
  outputTokens: 50,
};

describe('a target that is late', () => {
  it('is taken out of what a client saw, at the write that it saw last', () => {
    expect(onTime(record, late)).toEqual({ ...record, ttftMs: 201, e2eMs: 1181 });
    expect(onTime({ ...record, ttftMs: 6, e2eMs: null }, late)).toMatchObject({ ttftMs: 6, e2eMs: null });
    expect(latenessAt(late, 3)).toBe(0);
  });

  it('widens what a summary may be off by', () => {
    expect(medianLateness([late, row(1), late])).toBe(30);
    expect(medianLateness([])).toBe(0);
  });
});
