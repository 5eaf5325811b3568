/** From a client's figures to Tare's: units, absent ones, and reasons. */
import { z } from 'zod';
import { absent, type Summary } from '../../src/measure/metrics.ts';

/** A number that may be missing, null, or not finite: null then. Anything else that is no number fails the schema. */
export const figure = z
  .number()
  .nullish()
  .transform((value) => (value !== null && value !== undefined && Number.isFinite(value) ? value : null));

/** Milliseconds in one of the client's units. */
export const UNIT_MS = { s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type Unit = keyof typeof UNIT_MS;

export interface Figures {
  readonly n?: number | null;
  readonly mean?: number | null;
  readonly p50?: number | null;
  readonly p90?: number | null;
  readonly p99?: number | null;
}

/** A value in milliseconds; null stays null, and a number that is not finite becomes null. */
export const inMs = (value: number | null | undefined, unit: Unit): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value * UNIT_MS[unit] : null;

/** A summary of the figures that a client printed. `why` says why those that it did not are absent. */
export function summarize(figures: Figures | null | undefined, unit: Unit, why: string): Summary {
  if (!figures) return absent(why);
  const summary: Summary = {
    n: figures.n ?? null,
    mean_ms: inMs(figures.mean, unit),
    p50_ms: inMs(figures.p50, unit),
    p90_ms: inMs(figures.p90, unit),
    p99_ms: inMs(figures.p99, unit),
  };
  const missing = [summary.mean_ms, summary.p50_ms, summary.p90_ms, summary.p99_ms].includes(null);
  return missing ? { ...summary, absent: why } : summary;
}
