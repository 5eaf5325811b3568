import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/measure/diagnosis/diagnose.ts';
import type { Evidence } from '../../../src/measure/diagnosis/evidence.ts';
import type { Fault } from '../../../src/measure/diagnosis/fault.ts';
import { evidenceOf, type Made, make, SHAPE } from './trial.ts';

const found = (evidence: Evidence, departures: Parameters<typeof diagnose>[1] = []): Fault[] =>
  diagnose(evidence, departures);
const kinds = (faults: readonly Fault[]): string[] => faults.map(({ kind }) => kind);
const each = (
  made: Made,
  change: (record: Made['records'][number], i: number) => Partial<Made['records'][number]>,
): Made => ({
  ...made,
  records: made.records.map((record, i) => ({ ...record, ...change(record, i) })),
});

/** One fault and nothing else, of the size that its dose makes. */
function only(faults: readonly Fault[], kind: string, size: number): void {
  expect(kinds(faults)).toEqual([kind]);
  expect(Math.abs(faults[0]!.size / size - 1)).toBeLessThan(0.1);
  expect(faults[0]!.low).toBeLessThanOrEqual(faults[0]!.size);
  expect(faults[0]!.high).toBeGreaterThanOrEqual(faults[0]!.size);
}

describe('a client that does what is stated of it', () => {
  it('is accused of nothing, whatever the jitter, with failures or without', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0.01, max: 0.4, noNaN: true }),
        fc.boolean(),
        fc.boolean(),
        (seed, jitterMs, together, fails) => {
          const made = make({
            seed,
            jitterMs,
            together,
            ...(fails ? { refuseEvery: 20, breakEvery: 20 } : {}),
          });
          expect(found(evidenceOf(made))).toEqual([]);
          expect(found(evidenceOf(made, { clock: 'own' }))).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is accused of nothing where a stall made its requests late and its latencies say so', () => {
    const stalled = (i: number): number => (i >= 100 && i < 115 ? 1150 : (i * 1000) / SHAPE.rateRps);
    expect(found(evidenceOf(make({ sendAt: stalled })))).toEqual([]);
  });

  it('is accused of nothing by definitions that are stated', () => {
    const made = each(make(), (record) => ({
      e2eMs: record.e2eMs! + SHAPE.tailMs,
      ttftMs: record.ttftMs! - SHAPE.ttftMs + 0.1,
    }));
    expect(found(evidenceOf(made, { definitions: { end: 'responseEnd', ttft: 'firstChunk' } }))).toEqual([]);
    expect(kinds(found(evidenceOf(made))).sort()).toEqual(['end-after-last-token', 'first-event-as-token']);
  });
});

describe('faults of stamps', () => {
  it('late sends, whose delay is in the latencies', () => {
    for (const late of [2, 5, 30])
      only(found(evidenceOf(make({ sendAt: (i) => i * 10 + late }))), 'late-send', late);
  });

  it('late reads, by whatever dose; without a common clock only that it is late', () => {
    // 20 ms is also what the end comes after the last token.
    for (const late of [2, 4, 20, 50]) {
      const made = each(make(), (record) => ({ ttftMs: record.ttftMs! + late, e2eMs: record.e2eMs! + late }));
      only(found(evidenceOf(made)), 'late-read', late);
      // Then it may as well have been sent late.
      only(found(evidenceOf(made, { clock: 'own' })), 'late', late);
    }
  });

  it('the first event taken for the first token', () => {
    const made = each(make(), (record) => ({ ttftMs: record.ttftMs! - SHAPE.ttftMs + 0.1 }));
    only(found(evidenceOf(made)), 'first-event-as-token', -SHAPE.ttftMs);
  });

  it('an E2E that runs to the end of the answer', () => {
    const made = each(make(), (record) => ({ e2eMs: record.e2eMs! + SHAPE.tailMs }));
    only(found(evidenceOf(made)), 'end-after-last-token', SHAPE.tailMs);
  });

  it('a clock that runs fast or slow', () => {
    for (const scale of [0.05, -0.05, 0.2]) {
      const by = 1 + scale;
      const made = each(make(), (record) => ({
        ttftMs: record.ttftMs! * by,
        e2eMs: record.e2eMs! * by,
        itlMs: record.itlMs!.map((gap) => gap * by),
      }));
      only(found(evidenceOf(made)), 'clock-scale', scale);
    }
  });

  it.each([3, 7, 10, 12, 33.25])('a clock that moves in steps of %d ms', (size) => {
    const step = (value: number): number => Math.floor(value / size) * size;
    const made = each(make(), (record) => {
      const t0 = record.startNs! / 1e6;
      let at = t0 + record.ttftMs!;
      const stamps = [at, ...record.itlMs!.map((gap) => (at += gap))].map(step);
      return {
        startNs: step(t0) * 1e6,
        ttftMs: stamps[0]! - step(t0),
        e2eMs: stamps.at(-1)! - step(t0),
        itlMs: stamps.slice(1).map((stamp, k) => stamp - stamps[k]!),
      };
    });
    only(found(evidenceOf(made)), 'coarse-clock', size);
  });

  it('whole milliseconds are no coarse clock, even where the target’s own delays are multiples of five', () => {
    const round = (value: number): number => Math.round(value);
    const made = each(make({ jitterMs: 0.01 }), (record) => ({
      ttftMs: round(record.ttftMs!),
      e2eMs: round(record.e2eMs!),
      itlMs: record.itlMs!.map(round),
    }));
    expect(found(evidenceOf(made))).toEqual([]);
  });

  it('a difference that nothing explains has no name, and its size', () => {
    const made = each(make(), (record) => ({ ttftMs: record.ttftMs! - 13 }));
    only(found(evidenceOf(made)), 'unnamed', -13);
  });
});

describe('faults of tokens and gaps', () => {
  it('TTFT as the first gap', () => {
    const made = each(make(), (record) => ({ itlMs: [record.ttftMs!, ...record.itlMs!] }));
    only(found(evidenceOf(made)), 'ttft-in-itl', (SHAPE.ttftMs - SHAPE.itlMs) / SHAPE.tokens);
  });

  it('gaps between chunks of k tokens', () => {
    for (const k of [2, 5]) {
      const made = each(make(), (record) => ({
        itlMs: Array.from({ length: Math.floor(15 / k) }, (_, c) =>
          record.itlMs!.slice(c * k, c * k + k).reduce((a, b) => a + b, 0),
        ),
      }));
      only(found(evidenceOf(made)), 'itl-per-chunk', k);
    }
  });

  it('a token too many, or twice as many', () => {
    only(
      found(evidenceOf(each(make(), (record) => ({ outputTokens: record.outputTokens! + 1 })))),
      'token-count',
      1,
    );
    only(
      found(evidenceOf(each(make(), (record) => ({ outputTokens: record.outputTokens! * 2 })))),
      'token-count',
      SHAPE.tokens,
    );
  });

  it('work on each token, where tokens come together', () => {
    const made = each(make({ together: true }), (record) => ({
      e2eMs: record.ttftMs! + 15 * 0.2,
      itlMs: record.itlMs!.map(() => 0.2),
    }));
    only(found(evidenceOf(made)), 'cost-per-token', 200);
  });
});

describe('faults of counting', () => {
  const failing = () => make({ refuseEvery: 20, breakEvery: 25 });

  it('failures that are in no count', () => {
    const made = failing();
    const kept = { ...made, records: made.records.filter(({ ok }) => ok) };
    const failed = made.records.length - kept.records.length;
    only(found(evidenceOf(kept)), 'failures-dropped', -failed / made.rows.length);
  });

  it('errors in the stream that count as success', () => {
    const made = each(failing(), (_, i) => (i % 25 === 5 ? { ok: true } : {}));
    only(found(evidenceOf(made)), 'errors-as-success', 10 / SHAPE.requests);
  });

  it('requests that never were, and requests that were there twice', () => {
    const made = make();
    only(
      found(evidenceOf({ ...made, rows: made.rows.filter((_, i) => i % 10 !== 7) })),
      'requests-not-sent',
      -0.1,
    );
    const twice = made.rows.flatMap((row, i) =>
      i % 10 === 7 ? [row, { ...row, at: row.at + 0.1, requestId: `again${i}` }] : [row],
    );
    only(found(evidenceOf({ ...made, rows: twice })), 'requests-doubled', 0.1);
  });

  it('requests that it leaves out are not said to be sent twice', () => {
    const made = make();
    const without = (leaveOut: (i: number) => boolean) =>
      found(evidenceOf({ ...made, records: made.records.filter((_, i) => !leaveOut(i)) }));
    only(
      without((i) => i < 20),
      'requests-unrecorded',
      -20 / SHAPE.requests,
    );
    expect(without((i) => i < 20)[0]!.evidence).toMatch(/among the first/);
    only(
      without((i) => i % 10 === 4),
      'requests-unrecorded',
      -0.1,
    );
  });

  it('a join that is only in part says nothing of what it did not find', () => {
    const made = make();
    const part = {
      ...made,
      records: made.records.map((record, i) => (i % 10 === 0 ? { ...record, id: 'lost' } : record)),
    };
    expect(found(evidenceOf(part))).toEqual([]);
  });

  it('a request that is tried again is no omitted wait', () => {
    const made = make();
    const again = made.rows.flatMap((row, i) =>
      i % 20 === 7 ? [row, { ...row, at: row.at + 304, requestId: `again${i}` }] : [row],
    );
    expect(kinds(found(evidenceOf({ ...made, rows: again })))).toEqual(['requests-unrecorded']);
  });

  it('a connection for each request', () => {
    const made = make();
    only(
      found(evidenceOf({ ...made, rows: made.rows.map((row, i) => ({ ...row, connection: i })) })),
      'fresh-connections',
      1,
    );
  });
});

describe('faults of sending', () => {
  /** Stalled for 100 of every 500 ms: a request waits 10 ms in the mean. */
  const stalled = (i: number): number => {
    const due = i * 10;
    const phase = due % 500;
    return phase < 100 ? due - phase + 100 : due;
  };

  it('coordinated omission: the stall is in no latency', () => {
    const made = make({ sendAt: stalled, t0: stalled });
    only(found(evidenceOf(made)), 'coordinated-omission', -11);
    expect(found(evidenceOf(made, { definitions: { t0: 'sent' } }))).toEqual([]);
  });

  it('requests of one tick that arrive in another order, with failures among them, have no omitted wait', () => {
    const tick = (i: number): number => Math.ceil((i * 10) / 50) * 50;
    for (let seed = 1; seed <= 20; seed++) {
      const made = make({ seed, jitterMs: 1, refuseEvery: 20, breakEvery: 20, sendAt: tick });
      expect(kinds(found(evidenceOf(made), [{ kind: 'ticks', size: 50, evidence: '' }]))).toEqual([
        'coarse-timer',
      ]);
    }
  });

  it('a cap, with the wait on the books or not', () => {
    const capped = (i: number): number => i * 15;
    const departures = [
      { kind: 'closed-loop', size: 8, evidence: '' },
      { kind: 'drift', size: 5, evidence: '' },
    ];
    only(found(evidenceOf(make({ sendAt: capped })), departures), 'in-flight-cap', 8);
    const omitted = found(evidenceOf(make({ sendAt: capped, t0: capped })), departures);
    expect(kinds(omitted)).toEqual(['in-flight-cap', 'cap-wait-omitted']);
    expect(omitted[1]!.size).toBeCloseTo((-249 * 5) / 2, -1);
  });

  it('another rate, or two senders out of step, is no omitted wait', () => {
    const fast = (i: number): number => i * 9.5;
    const rate = [{ kind: 'rate', size: 0.05, evidence: '' }];
    expect(kinds(found(evidenceOf(make({ sendAt: fast, t0: fast })), rate))).toEqual(['other-rate']);
    const outOfStep = (i: number): number => i * 10 + (i % 2) * 4;
    expect(found(evidenceOf(make({ sendAt: outOfStep, t0: outOfStep })))).toEqual([]);
  });

  it('a client without a schedule is not accused of following its answers', () => {
    const evidence = evidenceOf(make());
    const closed = { ...evidence, stated: { ...evidence.stated, openLoop: false } };
    expect(found(closed, [{ kind: 'closed-loop', size: 8, evidence: '' }])).toEqual([]);
  });
});

describe('a client whose printed figures are not those of its records', () => {
  it('is told so, and what explains them', () => {
    const evidence = evidenceOf(make());
    const half = { n: 28750, mean_ms: 58, p50_ms: 58, p90_ms: 104, p99_ms: 114 };
    const printed = { ...evidence.printed, metrics: { ...evidence.printed.metrics, e2e: half } };
    expect(kinds(found({ ...evidence, printed }))).toEqual(['figures-not-of-records', 'samples-made-up']);
  });

  it('gaps of twice their length, which nothing explains', () => {
    const made = each(make(), (record) => ({ itlMs: record.itlMs!.map((gap) => 2 * gap) }));
    only(found(evidenceOf(made)), 'unnamed', SHAPE.itlMs);
  });
});

describe('a client without records', () => {
  const printedOnly = (made: Made, change: Partial<Evidence['printed']['metrics']>): Evidence => {
    const evidence = evidenceOf(made);
    return {
      ...evidence,
      records: null,
      row: null,
      printed: { ...evidence.printed, metrics: { ...evidence.printed.metrics, ...change } },
    };
  };

  it('is accused of nothing where its figures are the expected ones', () => {
    expect(found(printedOnly(make(), {}))).toEqual([]);
  });

  it('autocannon 8’s correction: every response v enters as v − 1, v − 2, … too', () => {
    const n = 100;
    const values = Array.from({ length: n }, (_, i) => 115 - i);
    const half = { n: 250 * 115, mean_ms: 58, p50_ms: 58, p90_ms: 104, p99_ms: 114 };
    expect(values.length).toBe(n);
    only(found(printedOnly(make(), { e2e: half })), 'samples-made-up', 58 - 115);
  });

  it('TTFT by the head, E2E by the end', () => {
    const evidence = evidenceOf(make());
    const flat = (ms: number) => ({ n: 250, mean_ms: ms, p50_ms: ms, p90_ms: ms, p99_ms: ms });
    only(found({ ...printedOnly(make(), { ttft: flat(0.1) }) }), 'first-event-as-token', -40);
    only(found({ ...printedOnly(make(), { e2e: flat(135) }) }), 'end-after-last-token', 20);
    expect(evidence.printed.failed).toBe(0);
  });
});
