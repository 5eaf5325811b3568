import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuantity, QUANTITY_KINDS, type QuantityKind } from '../../../src/claims/file/quantity.ts';

const read = (text: string, kind: QuantityKind) => {
  const quantity = parseQuantity(text, kind);
  return typeof quantity === 'string' ? quantity : [quantity.value, quantity.half];
};

describe('a quantity', () => {
  it.each([
    ['73.3 s', 'latency', 73_300, 50],
    ['0.542 s', 'latency', 542, 0.5],
    ['87.64 ms', 'latency', 87.64, 0.005],
    ['87.64ms', 'latency', 87.64, 0.005],
    ['250 µs', 'latency', 0.25, 0.0005],
    ['250 us', 'latency', 0.25, 0.0005],
    ['0.0000 ms', 'latency', 0, 0.00005],
    ['.5 s', 'latency', 500, 50],
    ['1.5 min', 'duration', 90, 3],
    ['300 s', 'duration', 300, 0.5],
    ['8,730 tok/s', 'tokenRate', 8730, 0.5],
    ['8_730 tokens/s', 'tokenRate', 8730, 0.5],
    ['8 730 tok/s', 'tokenRate', 8730, 0.5],
    ['8\u202f730 tok/s', 'tokenRate', 8730, 0.5],
    ['1,234,567.8 tps', 'tokenRate', 1_234_567.8, 0.05],
    ['8.7k tok/s', 'tokenRate', 8700, 50],
    ['8.73 K tokens/s', 'tokenRate', 8730, 5],
    ['1.2e3 tok/s', 'tokenRate', 1200, 50],
    ['42.5 tok/s/user', 'userRate', 42.5, 0.05],
    ['42.5 tokens/s per user', 'userRate', 42.5, 0.05],
    ['12.5 req/s', 'requestRate', 12.5, 0.05],
    ['12 requests per second', 'requestRate', 12, 0.5],
    ['32 QPS', 'rate', 32, 0.5],
    ['inf', 'rate', Number.POSITIVE_INFINITY, 0],
    ['.inf', 'rate', Number.POSITIVE_INFINITY, 0],
    ['inf req/s', 'rate', Number.POSITIVE_INFINITY, 0],
    ['99.5 %', 'share', 99.5, 0.05],
    ['100%', 'share', 100, 0.5],
    ['500', 'sent', 500, 0],
    ['1,000 requests', 'sent', 1000, 0],
    ['0', 'requests', 0, 0],
    ['2,000', 'concurrency', 2000, 0],
    ['179', 'tokens', 179, 0],
    ['179.3 tokens', 'tokens', 179.3, 0.05],
    ['2.7x', 'ratio', 2.7, 0.05],
    ['57×', 'ratio', 57, 0.5],
    ['13', 'ratio', 13, 0.5],
  ] as const)('%s as %s is %d ± %d', (text, kind, value, half) => {
    const [found, within] = read(text, kind) as [number, number];
    expect(found).toBe(value);
    expect(within).toBeCloseTo(half, 12);
  });

  it.each([
    ['12', 'latency', '"12" has no unit'],
    ['12 parsecs', 'latency', '"parsecs" in "12 parsecs" is no unit of it'],
    ['12 tok/s', 'latency', 'no unit of it'],
    ['-3 ms', 'latency', 'below zero'],
    ['0,542 s', 'latency', 'decimal comma: write 0.542'],
    ['3,14 s', 'latency', 'write the decimal point as in 3.14'],
    ['12,34,567 tok/s', 'tokenRate', 'not grouped by three'],
    ['1,234_567 tok/s', 'tokenRate', 'not grouped by three'],
    ['~2.5 s', 'latency', 'write the printed digits alone'],
    ['about 2 s', 'latency', 'write the printed digits alone'],
    ['1:30', 'duration', 'no unit of it'],
    ['0x10', 'sent', 'no unit of it'],
    ['NaN ms', 'latency', 'does not begin with a number'],
    ['', 'latency', 'does not begin with a number'],
    ['inf', 'latency', 'no finite quantity'],
    ['-inf', 'rate', 'below zero|begin with a number'],
    ['0.98', 'share', 'has no unit'],
    ['101 %', 'share', 'out of range'],
    ['2.5', 'sent', 'no whole number'],
    ['0', 'sent', 'out of range'],
    ['0', 'concurrency', 'out of range'],
    ['1k', 'tokens', 'write the number out'],
    ['0', 'ratio', 'no factor'],
    ['1e99 tok/s', 'tokenRate', 'out of range'],
    ['2 constructor', 'tokens', 'no unit of it'],
  ] as const)('%s as %s is a fault: %s, with what is allowed', (text, kind, words) => {
    const fault = read(text, kind);
    expect(fault).toMatch(new RegExp(words));
    expect(fault).toContain(`allowed is ${QUANTITY_KINDS[kind].allowed}`);
  });

  it('has the value of its digits and half a unit of the last one, in any unit of time and grouping', () => {
    const units = { s: 3, ms: 0, us: -3, ns: -6 } as const;
    fc.assert(
      fc.property(
        fc.nat(99_999_999),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
        fc.boolean(),
        (digits, decimals, unit, grouped) => {
          const padded = String(digits).padStart(decimals + 1, '0');
          const whole = padded.slice(0, padded.length - decimals);
          const shown = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
          const text = `${shown}${decimals === 0 ? '' : `.${padded.slice(-decimals)}`} ${unit}`;
          const quantity = parseQuantity(text, 'latency');
          if (typeof quantity === 'string') throw new Error(quantity);
          expect(quantity.text).toBe(text);
          expect(quantity.value).toBe(Number(`${digits}e${units[unit] - decimals}`));
          expect(quantity.half).toBe(Number(`5e${units[unit] - decimals - 1}`));
        },
      ),
    );
  });

  it('never throws and never gives what is no number, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789., eEkMx%/_-+infsmt') })),
        fc.constantFrom(...(Object.keys(QUANTITY_KINDS) as QuantityKind[])),
        (text, kind) => {
          const quantity = parseQuantity(text, kind);
          if (typeof quantity === 'string') return;
          expect(quantity.value).toBeGreaterThanOrEqual(0);
          expect(quantity.half).toBeGreaterThanOrEqual(0);
          if (kind !== 'rate') expect(Number.isFinite(quantity.value)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
