/** What a run under load was, by its ledger: when requests arrived, how late that was, how long they took, how many were under way. */
import { peakInFlight } from '../../src/measure/arrivals.ts';
import { metricValues } from '../../src/measure/expected.ts';
import { LEDGER_OUTCOMES, type LedgerOutcome } from '../../src/measure/ledger.ts';
import type { Metric, Statistic } from '../../src/measure/metrics.ts';
import type { LoadRun } from '../../src/measure/probe/probe.ts';
import { toMs } from '../../src/measure/time.ts';

/** Arrivals in order, ms since the first one that counts. */
export function arrivalsMs({ ledger, first }: LoadRun): Float64Array {
  const sorted = ledger.arrivalNs.slice(first, ledger.rows).sort();
  return sorted.map((at) => toMs(at - sorted[0]!));
}

/** Requests that reached the target, warm-up left out. */
export const sentOf = ({ ledger, first }: LoadRun): number => Math.max(0, ledger.rows - first);

export function countOf({ ledger, first }: LoadRun, outcome: LedgerOutcome): number {
  const code = LEDGER_OUTCOMES.indexOf(outcome);
  return ledger.outcome.subarray(first, ledger.rows).filter((one) => one === code).length;
}

/** Most requests under way at once. */
export const peakOf = ({ ledger, first }: LoadRun): number =>
  peakInFlight(ledger.arrivalNs.slice(first, ledger.rows), ledger.endNs.slice(first, ledger.rows));

/** Sends per second: gaps over the time that they took; null below two requests. */
export function sendRateOf(run: LoadRun): number | null {
  const at = arrivalsMs(run);
  const span = at.at(-1) ?? 0;
  return span > 0 ? (1000 * (at.length - 1)) / span : null;
}

/** Whether the gaps between its sends vary by chance, by what it says of itself. */
export const isRandom = (run: LoadRun): boolean => (run.sends ?? 'constant') === 'poisson';

/**
 * What each request waited to be sent, ms, beyond the one that waited least: arrival − i/R. Of a random process it is chance for the
 * most part: `chanceMs` is three standard deviations of its mean.
 */
export function waitsMs(run: LoadRun): { readonly meanMs: number; readonly chanceMs: number } {
  const gapMs = 1000 / run.rateRps;
  const late = arrivalsMs(run).map((at, i) => at - i * gapMs);
  const n = late.length;
  if (n === 0) return { meanMs: 0, chanceMs: 0 };
  // A sum of i independent gaps varies as √i; the mean of all n of them as √(n/3). A random walk has no least value to count from.
  if (isRandom(run))
    return { meanMs: late.reduce((sum, w) => sum + w, 0) / n, chanceMs: 3 * gapMs * Math.sqrt(n / 3) };
  const least = late.reduce((low, w) => Math.min(low, w), Number.POSITIVE_INFINITY);
  return { meanMs: late.reduce((sum, w) => sum + w - least, 0) / n, chanceMs: 0 };
}

/**
 * A metric of each completed request as a user waits for it, ms: from when it was due, i/R, to its end by the client's definition. The
 * request that was least late counts as on time. Of a random process it cannot be known.
 */
export function fromScheduleMs(run: LoadRun, metric: 'ttft' | 'e2e'): Float64Array {
  const { ledger, first } = run;
  const gapMs = 1000 / run.rateRps;
  const order = Array.from({ length: sentOf(run) }, (_, i) => first + i).sort(
    (a, b) => ledger.arrivalNs[a]! - ledger.arrivalNs[b]!,
  );
  const late = new Map(order.map((row, i) => [row, toMs(ledger.arrivalNs[row]!) - i * gapMs]));
  const least = Math.min(...late.values());
  const values = metricValues(ledger, run.definitions, first);
  return values[metric].map((value, k) => value + late.get(values.row[k]!)! - least);
}

/** A metric of each request that was completed, as the client defines it, by the ledger; ms from the arrival. */
export const servedMs = (run: LoadRun, metric: 'ttft' | 'e2e'): Float64Array =>
  metricValues(run.ledger, run.definitions, run.first)[metric].filter((value) => !Number.isNaN(value));

/** A printed figure, ms. */
export const printed = (run: LoadRun, metric: Metric, name: Statistic): number | null =>
  run.reported?.metrics[metric][`${name}_ms`] ?? null;

/** The latency that it prints for whole requests: E2E, else TTFT; null: neither. */
export function wholeLatency(
  run: LoadRun,
): { readonly metric: 'ttft' | 'e2e'; readonly meanMs: number } | null {
  for (const metric of ['e2e', 'ttft'] as const) {
    const meanMs = printed(run, metric, 'mean');
    if (meanMs !== null) return { metric, meanMs };
  }
  return null;
}
