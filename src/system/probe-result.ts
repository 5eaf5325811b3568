/** What the asking end of the loopback measurement prints, and its summary. Pure but for the clock that is handed in. */
import { quantileSorted } from '../measure/quantile.ts';

export interface ClockCost {
  /** Smallest step between two different readings, ns. */
  readonly resolution_ns: number;
  /** Time that a reading takes, ns. */
  readonly read_ns: number;
}

export interface ProbeResult {
  readonly clock: ClockCost;
  /** One way, µs, one an exchange. */
  readonly to_target_us: readonly number[];
  readonly to_client_us: readonly number[];
  /** How much later than asked a sleep of 1 ms ended, µs. */
  readonly wake_up_us: readonly number[];
}

export interface DelaySpread {
  readonly n: number;
  readonly p50_us: number;
  readonly p99_us: number;
  readonly max_us: number;
}

const READINGS = 100_000;

/** The cost of a clock. */
export function clockCost(now: () => number, resolution: () => number): ClockCost {
  const before = now();
  for (let i = 0; i < READINGS; i++) now();
  return { resolution_ns: resolution(), read_ns: (now() - before) / READINGS };
}

/** null of none. */
export function spreadOf(values: readonly number[]): DelaySpread | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  return {
    n: sorted.length,
    p50_us: quantileSorted(sorted, 0.5),
    p99_us: quantileSorted(sorted, 0.99),
    max_us: sorted.at(-1)!,
  };
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number' && Number.isFinite(one));

/** Reads what was printed; null where it is no such result. */
export function parseProbe(text: string): ProbeResult | null {
  try {
    const value = JSON.parse(text) as ProbeResult;
    const { clock, to_target_us, to_client_us, wake_up_us } = value;
    const whole = [to_target_us, to_client_us, wake_up_us].every(isNumbers);
    return whole && Number.isFinite(clock.read_ns) && Number.isFinite(clock.resolution_ns) ? value : null;
  } catch {
    return null;
  }
}
