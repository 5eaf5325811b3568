import { describe, expect, it } from 'vitest';
import { shortfallOf, shortfallWords, tooFewWords } from '../../src/measure/shortfall.ts';
import { trialFigures } from '../../src/measure/trial-interval.ts';

describe('why a quantile has no interval', () => {
  it('is read back from its words', () => {
    const short = { needed: 736, values: 300, worth: 41 };
    expect(shortfallOf(shortfallWords(0.99, short), 0.99)).toEqual(short);
    expect(shortfallOf(tooFewWords(12), 0.99)).toEqual({ needed: 368, values: 12, worth: 12 });
    expect(shortfallOf('no interval: the values drift through the trial', 0.99)).toBeNull();
    expect(shortfallOf('', 0.99)).toBeNull();
  });

  it('is what a trial’s figures say', () => {
    const values = Float64Array.from({ length: 300 }, (_, i) => (i * 7919) % 300);
    const blockOf = Int32Array.from(values, (_, i) => Math.floor(i / 10));
    const [, p99] = trialFigures({ values, blockOf }, null, 30, [0.99]);
    expect(p99!.interval).toBeNull();
    expect(shortfallOf(p99!.reason!, 0.99)).toMatchObject({ needed: 368, values: 300 });
  });
});
