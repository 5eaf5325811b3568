/**
 * Percentiles as locust makes them: of values rounded to whole milliseconds below 100 ms and to two digits above, one of the values
 * and none between them. Source: locust 2.47.0, stats.py, bucket_response_time and calculate_response_time_percentile.
 */
import { absent, type Summary } from './metrics.ts';
import { mean } from './quantile.ts';

/** To the nearest multiple of `unit`, a tie to the even one, as Python rounds. */
function roundHalfEven(value: number, unit: number): number {
  const scaled = value / unit;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const up = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return (up ? below + 1 : below) * unit;
}

/** The value, ms, that locust keeps for `ms`: 50.4 → 50, 147 → 150, 3432 → 3400, 58760 → 59000. */
export function roundedMs(ms: number): number {
  if (ms < 100) return roundHalfEven(ms, 1);
  if (ms < 1000) return roundHalfEven(ms, 10);
  return roundHalfEven(ms, ms < 10_000 ? 100 : 1000);
}

/** As `summarize` of quantile.ts, with locust's percentiles. The mean is of the values themselves, in locust too. */
export function summarizeRounded(valuesMs: ArrayLike<number>, why: string): Summary {
  const n = valuesMs.length;
  if (n === 0) return absent(why);
  const sorted = Float64Array.from(valuesMs).sort();
  const at = (p: number) => roundedMs(sorted[Math.min(Math.floor(n * p), n - 1)]!);
  return { n, mean_ms: mean(sorted), p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99) };
}
