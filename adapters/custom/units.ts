/** Units that a client's figures may be in. */
import { UNIT_MS } from '../kit/figures.ts';

/** Milliseconds in a unit of time; `text`: the unit is written behind the number, as in 1.5ms or 2m3.5s. */
export const TIME_UNITS = ['s', 'ms', 'us', 'ns', 'min', 'text'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** Units of instants: those of time, counted from any origin, and `iso` for 2026-11-29T15:47:49.550518860Z. */
export const INSTANT_UNITS = [...TIME_UNITS, 'iso'] as const;
export type InstantUnit = (typeof INSTANT_UNITS)[number];

/** Events per second in a unit of rate. */
export const RATE_UNITS = { '1/s': 1, '1/ms': 1000, '1/min': 1 / 60 } as const;
export type RateUnit = keyof typeof RATE_UNITS;

const WRITTEN: Readonly<Record<string, number>> = {
  ...UNIT_MS,
  µs: 1e-3,
  μs: 1e-3,
  sec: 1000,
  secs: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

/** A value as a finite number; strings of digits count, as CSV and text have nothing else. Null otherwise. */
export function asNumber(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** "1.5ms", "2m3.5s", "0.12 secs" in milliseconds; null where it is not one. */
export function writtenMs(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  let rest = value.trim();
  let sum: number | null = null;
  while (rest !== '') {
    const match = /^(\d+(?:\.\d+)?)\s*([a-zµμ]+)\s*/i.exec(rest);
    const scale = match !== null && Object.hasOwn(WRITTEN, match[2]!) ? WRITTEN[match[2]!] : undefined;
    if (match === null || scale === undefined) return null;
    sum = (sum ?? 0) + Number(match[1]) * scale;
    rest = rest.slice(match[0].length);
  }
  return sum;
}

/** A length of time in milliseconds. */
export function toMs(value: unknown, unit: TimeUnit): number | null {
  if (unit === 'text') return writtenMs(value);
  const number = asNumber(value);
  return number === null ? null : number * (unit === 'min' ? 60_000 : UNIT_MS[unit]);
}

/** An instant in nanoseconds from the unit's origin. Only differences are used. */
export function toInstantNs(value: unknown, unit: InstantUnit): number | null {
  if (unit !== 'iso') {
    const ms = toMs(value, unit);
    return ms === null ? null : Math.round(ms * 1e6);
  }
  if (typeof value !== 'string') return null;
  // Date keeps milliseconds only; the digits behind them are added again.
  const match = /^(.*?:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/.exec(value.trim());
  const wholeMs = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3] ?? 'Z'}`);
  if (Number.isNaN(wholeMs)) return null;
  return wholeMs * 1e6 + Number((match?.[2] ?? '').padEnd(9, '0'));
}

/** A rate in events per second. */
export function toRps(value: unknown, unit: RateUnit): number | null {
  const number = asNumber(value);
  return number === null ? null : number * RATE_UNITS[unit];
}
