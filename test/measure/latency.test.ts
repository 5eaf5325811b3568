import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latencyModel, schedule } from '../../src/measure/latency.ts';
import { parseLatencySpec } from '../../src/measure/latency-spec.ts';

const model = (text: string, values: number[] = []) => latencyModel(parseLatencySpec(text), () => values);
const DRAWN = 'ttft=lognormal:50ms:0.5,itl=bimodal:10ms:80ms:0.1,prefill=3us';

describe('a schedule', () => {
  it('of constants is arithmetic', () => {
    expect([...schedule(model('ttft=50ms,itl=10ms,prefill=1ms'), 9, 4, 3, 4)]).toEqual([
      53e6, 63e6, 73e6, 83e6,
    ]);
    expect([...schedule(model('zero'), 1, 0, 1000, 2)]).toEqual([0, 0]);
  });

  it('is whole, never falls, and comes again from seed and ordinal', () => {
    const cases = fc.tuple(
      fc.nat(),
      fc.nat({ max: 1e6 }),
      fc.nat({ max: 5000 }),
      fc.integer({ min: 1, max: 64 }),
    );
    fc.assert(
      fc.property(cases, ([seed, index, prompt, tokens]) => {
        const first = schedule(model(DRAWN), seed, index, prompt, tokens);
        expect(schedule(model(DRAWN), seed, index, prompt, tokens)).toEqual(first);
        expect(first.every((due, i) => Number.isInteger(due) && due >= (i === 0 ? 0 : first[i - 1]!))).toBe(
          true,
        );
      }),
    );
  });

  it('does not depend on how many tokens are asked for, nor on draws made meanwhile', () => {
    const one = model(DRAWN);
    const short = schedule(one, 5, 77, 10, 8);
    const draws = one.draws(5, 77, 10);
    let due = draws.ttftNs;
    const slow = [due];
    for (let i = 1; i < 8; i++) {
      schedule(one, 5, i, 10, 20);
      due += draws.gap();
      slow.push(due);
    }
    expect(slow).toEqual([...short]);
    expect([...schedule(one, 5, 77, 10, 30).subarray(0, 8)]).toEqual([...short]);
  });

  it('differs between requests, seeds, and TTFT and gaps', () => {
    const one = model('ttft=lognormal:50ms:0.5,itl=lognormal:50ms:0.5');
    const firsts = Array.from({ length: 500 }, (_, index) => schedule(one, 3, index, 0, 2));
    expect(new Set(firsts.map((due) => due[0])).size).toBe(500);
    expect(firsts.every((due) => due[1]! - due[0]! !== due[0])).toBe(true);
    expect(schedule(one, 4, 0, 0, 1)).not.toEqual(schedule(one, 3, 0, 0, 1));
  });

  it('is written where it is told', () => {
    const into = new Float64Array(6);
    schedule(model('ttft=5ns,itl=1ns'), 0, 0, 0, 3, into, 2);
    expect([...into]).toEqual([0, 0, 5, 6, 7, 0]);
  });
});

describe('draws follow their distribution', () => {
  const sample = (text: string, values?: number[]): number[] => {
    const one = model(text, values);
    return Array.from({ length: 40_000 }, (_, index) => one.draws(1, index, 0).ttftNs);
  };
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  it('lognormal by mean and coefficient of variation', () => {
    const values = sample('ttft=lognormal:50ms:0.5');
    const average = mean(values);
    const cv = Math.sqrt(mean(values.map((value) => (value - average) ** 2))) / average;
    // Standard error of the mean: 0.5/√40000 = 0.25 % of it. The seed is fixed, so this cannot fail by chance.
    expect(Math.abs(average / 50e6 - 1)).toBeLessThan(0.01);
    expect(Math.abs(cv / 0.5 - 1)).toBeLessThan(0.03);
    expect(sample('ttft=lognormal:0ms:0.5').every((value) => value === 0)).toBe(true);
  });

  it('bimodal by the share of the rare value', () => {
    const values = sample('ttft=bimodal:10ms:80ms:0.1');
    expect(new Set(values)).toEqual(new Set([10e6, 80e6]));
    expect(Math.abs(values.filter((value) => value === 80e6).length / 40_000 - 0.1)).toBeLessThan(0.006);
  });

  it('empirical: each value as often as the next', () => {
    const values = sample('ttft=empirical:x.csv', [1.4, 2, 3]);
    for (const value of [1, 2, 3])
      expect(Math.abs(values.filter((one) => one === value).length / 40_000 - 1 / 3)).toBeLessThan(0.01);
    expect(() => model('itl=empirical:x.csv', [])).toThrow('holds no values');
  });
});
