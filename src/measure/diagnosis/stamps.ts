/** What a client's stamps are off by: its clock, the instants that its figures run from and to, and how late it reads. */
import { toMs } from '../time.ts';
import { type Estimate, estimate, median, quantile } from './estimate.ts';
import type { Evidence, Pairs } from './evidence.ts';
import { type Fault, fault } from './fault.ts';

/** Steps that clocks and timers have, ms: whole ones, Windows' 15.625, and what rounding to seconds makes. */
const STEPS_MS = [1000, 500, 100, 50, 40, 25, 20, 16, 15.625, 10, 8, 5, 4, 2, 1];
/** Share of values that must lie on the grid, and how near, ms. */
const ON_GRID = { share: 0.99, withinMs: 1e-3 };
/** Below this factor a clock is not called off; the three metrics must agree on it to within a third of it. */
const LEAST_SCALE = 0.01;

const ms = (value: number): string => `${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ms`;

/** The step of the client's clock as its durations show it, ms; null where they lie on no grid. */
export function clockStepMs({ records }: Pick<Pairs, 'records'>): number | null {
  const values = records.flatMap((record) =>
    [record.ttftMs, record.e2eMs, ...(record.itlMs ?? []).slice(0, 4)].filter((value) => value !== null),
  );
  const notZero = values.filter((value) => value !== 0);
  if (notZero.length < 30) return null;
  const fits = (step: number): boolean => {
    const on = notZero.filter(
      (value) => Math.abs(value / step - Math.round(value / step)) * step <= ON_GRID.withinMs,
    );
    return on.length >= ON_GRID.share * notZero.length;
  };
  return STEPS_MS.find(fits) ?? null;
}

/** The factor by which TTFT, decode time and E2E are all off, or null where they do not agree on one. */
function commonScale({ ledger }: Evidence, pairs: Pairs): Estimate | null {
  const ratios = (mine: (k: number) => number | null, true_: (k: number) => number): Float64Array =>
    Float64Array.from(pairs.records, (_, k) => {
      const value = mine(k);
      const truth = true_(k);
      return value === null || !(truth > 0) ? Number.NaN : value / truth - 1;
    });
  const first = (k: number): number =>
    toMs(ledger.firstNs[pairs.row[k]!]! - ledger.arrivalNs[pairs.row[k]!]!);
  const decode = (k: number): number => toMs(ledger.lastNs[pairs.row[k]!]! - ledger.firstNs[pairs.row[k]!]!);
  const { records } = pairs;
  const ofDecode = estimate(
    ratios(
      (k) =>
        records[k]!.e2eMs === null || records[k]!.ttftMs === null
          ? null
          : records[k]!.e2eMs! - records[k]!.ttftMs!,
      decode,
    ),
    median,
  );
  const ofTtft = median(ratios((k) => records[k]!.ttftMs, first));
  const agree = Math.abs(ofTtft - ofDecode.size) <= Math.abs(ofDecode.size) / 3;
  if (
    !(Math.abs(ofDecode.size) >= LEAST_SCALE) ||
    !agree ||
    !(Math.sign(ofTtft) === Math.sign(ofDecode.size))
  )
    return null;
  return ofDecode;
}

/** Late before the target: its requests arrive a constant time after the t0 that its latencies count from. */
function lateSend(pairs: Pairs, toleranceMs: number): Fault | null {
  const late = estimate(pairs.send, median);
  // A delay that varies is waiting, and has other names.
  const spread = quantile(pairs.send, 0.75) - quantile(pairs.send, 0.25);
  if (!(late.low > toleranceMs) || spread > late.size / 2) return null;
  return fault(
    'late-send',
    late,
    `half of its requests reach the target ${ms(late.size)} or more after the t0 that their latencies count from`,
  );
}

const minus = (a: Float64Array, b: Float64Array): Float64Array =>
  // Without a common clock the way to the target cannot be told apart, and stays in.
  a.map((value, k) => value - (Number.isNaN(b[k]!) ? 0 : b[k]!));

/** Faults of the client's clock and of where its figures begin and end. */
export function stampFaults(evidence: Evidence, pairs: Pairs): Fault[] {
  const { toleranceMs } = evidence;
  const step = clockStepMs(pairs);
  if (step !== null && step > toleranceMs)
    return [
      fault(
        'coarse-clock',
        { size: step, low: step, high: step },
        `its durations are multiples of ${step} ms`,
      ),
    ];
  const faults: Fault[] = [];
  const sent = lateSend(pairs, toleranceMs);
  if (sent !== null) faults.push(sent);
  const differs = (late: Estimate): boolean => late.low > toleranceMs || late.high < -toleranceMs;
  const near = (values: Float64Array): boolean => Math.abs(median(values)) <= toleranceMs;
  const ttft = estimate(minus(pairs.ttft, pairs.send), median);
  const e2e = estimate(minus(pairs.e2e, pairs.send), median);
  const scale = differs(e2e) ? commonScale(evidence, pairs) : null;
  if (scale !== null) {
    const evidenceOf = `TTFT and decode time are both ${(100 * scale.size).toFixed(1)} % off`;
    return [...faults, fault('clock-scale', scale, evidenceOf)];
  }
  let ttftNamed = !differs(ttft);
  let e2eNamed = !differs(e2e);
  if (!ttftNamed && near(minus(pairs.ttftByHead, pairs.send))) {
    ttftNamed = true;
    faults.push(
      fault(
        'first-event-as-token',
        ttft,
        `its TTFT is ${ms(ttft.size)} from the first token’s, and within ${ms(Math.abs(median(minus(pairs.ttftByHead, pairs.send))))} of the head and first event`,
      ),
    );
  }
  if (!e2eNamed && near(minus(pairs.e2eByEnd, pairs.send))) {
    e2eNamed = true;
    faults.push(
      fault(
        'end-after-last-token',
        e2e,
        `its E2E is ${ms(e2e.size)} beyond the last token, and ends with the answer`,
      ),
    );
  }
  if (
    !ttftNamed &&
    !e2eNamed &&
    ttft.size > 0 &&
    Math.abs(ttft.size - e2e.size) <= Math.max(toleranceMs / 2, 0.1 * ttft.size)
  ) {
    faults.push(
      fault(
        'late-read',
        ttft,
        `first and last token are both stamped ${ms(ttft.size)} after they were written`,
      ),
    );
    return faults;
  }
  if (!ttftNamed) faults.push(fault('unnamed', ttft, `its TTFT is off by ${ms(ttft.size)} in the median`));
  // Where tokens are worked on one after the other the last is late and the first is not: named with the gaps.
  if (!e2eNamed && ttftNamed && !differs(ttft))
    faults.push(fault('unnamed', e2e, `its E2E is off by ${ms(e2e.size)} in the median`));
  return faults;
}
