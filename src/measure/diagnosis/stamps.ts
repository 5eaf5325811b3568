/** What a client's stamps are off by: its clock, the instants that its figures run from and to, and how late it reads. */
import { toMs } from '../time.ts';
import { type Estimate, estimate, median, quantile } from './estimate.ts';
import type { Evidence, Pairs } from './evidence.ts';
import { exactly, type Fault, fault } from './fault.ts';

/** Share of values that must lie on the grid, and how near, ms. */
const ON_GRID = { share: 0.99, withinMs: 1e-3 };
/** The smallest duration is one step, or so many. */
const MOST_STEPS = 10;
/** A grid is the client's only where what the target did lies off it: by this much of a step, in this share of values. */
const OFF_GRID = { by: 0.1, share: 0.1 };
/** Below this factor a clock is not called off; the three metrics must agree on it to within a third of it. */
const LEAST_SCALE = 0.01;

const ms = (value: number): string => `${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ms`;

/** How far values lie from the nearest multiple of a step, ms. */
const fromGrid = (value: number, step: number): number => Math.abs(value - Math.round(value / step) * step);

/**
 * The step of the client's clock as its durations show it, ms; null where they lie on no grid, or on one that the target's own delays
 * lie on.
 */
export function clockStepMs(
  { ledger }: Pick<Evidence, 'ledger'>,
  { records, row }: Pick<Pairs, 'records' | 'row'>,
): number | null {
  const values = records
    .flatMap((record) => [record.ttftMs, record.e2eMs, ...(record.itlMs ?? []).slice(0, 4)])
    .filter((value) => value !== null && value > 0) as number[];
  if (values.length < 30) return null;
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const fits = (step: number): boolean =>
    values.filter((value) => fromGrid(value, step) <= ON_GRID.withinMs).length >=
    ON_GRID.share * values.length;
  const step = Array.from({ length: MOST_STEPS }, (_, k) => least / (k + 1)).find(fits);
  if (step === undefined) return null;
  const written = Array.from(row).flatMap((r) => [
    toMs(ledger.firstNs[r]! - ledger.arrivalNs[r]!),
    toMs(ledger.lastNs[r]! - ledger.arrivalNs[r]!),
    toMs(ledger.lastNs[r]! - ledger.firstNs[r]!) / Math.max(1, ledger.deliveredTokens[r]! - 1),
  ]);
  const off = written.filter((value) => fromGrid(value, step) > OFF_GRID.by * step);
  return off.length >= OFF_GRID.share * written.length ? step : null;
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

/** First and last token stamped late by the same. */
function commonShift(pairs: Pairs, ttft: Estimate, e2e: Estimate, toleranceMs: number): Fault | null {
  if (!(ttft.low > toleranceMs && e2e.low > toleranceMs)) return null;
  if (Math.abs(ttft.size - e2e.size) > Math.max(toleranceMs / 2, 0.1 * ttft.size)) return null;
  return pairs.send.some(Number.isNaN)
    ? fault(
        'late',
        ttft,
        `TTFT and E2E are both ${ms(ttft.size)} too long, and its clock is not the target’s`,
      )
    : fault(
        'late-read',
        ttft,
        `first and last token are both stamped ${ms(ttft.size)} after they were written`,
      );
}

/** Faults of the client's clock and of where its figures begin and end. */
export function stampFaults(evidence: Evidence, pairs: Pairs): Fault[] {
  const faults: Fault[] = [];
  const step = clockStepMs(evidence, pairs);
  const isCoarse = step !== null && step > evidence.toleranceMs;
  if (isCoarse)
    faults.push(
      fault(
        'coarse-clock',
        exactly(step),
        `its durations are multiples of ${Number(step.toPrecision(4))} ms`,
      ),
    );
  // What is within a step may be the step's.
  const toleranceMs = Math.max(evidence.toleranceMs, isCoarse ? step : 0);
  const sent = lateSend(pairs, toleranceMs);
  if (sent !== null) faults.push(sent);
  const differs = (late: Estimate): boolean => late.low > toleranceMs || late.high < -toleranceMs;
  const ttft = estimate(minus(pairs.ttft, pairs.send), median);
  const e2e = estimate(minus(pairs.e2e, pairs.send), median);
  const scale = differs(e2e) ? commonScale(evidence, pairs) : null;
  if (scale !== null)
    return [
      ...faults,
      fault('clock-scale', scale, `TTFT and decode time are both ${(100 * scale.size).toFixed(1)} % off`),
    ];
  const shift = commonShift(pairs, ttft, e2e, toleranceMs);
  if (shift !== null) return [...faults, shift];
  const byHead = Math.abs(median(minus(pairs.ttftByHead, pairs.send)));
  if (differs(ttft))
    faults.push(
      byHead <= toleranceMs
        ? fault(
            'first-event-as-token',
            ttft,
            `its TTFT is ${ms(ttft.size)} from the first token’s, and within ${ms(byHead)} of the head and first event`,
          )
        : fault('unnamed', ttft, `its TTFT is off by ${ms(ttft.size)} in the median`),
    );
  const byEnd = Math.abs(median(minus(pairs.e2eByEnd, pairs.send)));
  if (differs(e2e) && byEnd <= toleranceMs)
    faults.push(
      fault(
        'end-after-last-token',
        e2e,
        `its E2E is ${ms(e2e.size)} beyond the last token, and ends with the answer`,
      ),
    );
  else if (differs(e2e) && !differs(ttft))
    faults.push(fault('unnamed', e2e, `its E2E is off by ${ms(e2e.size)} in the median`));
  return faults;
}
