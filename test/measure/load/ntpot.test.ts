import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ntpotForms } from '../../../src/measure/load/ntpot.ts';

interface Request {
  readonly n: number;
  readonly ttft: number;
  readonly tpot: number;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const e2e = ({ n, ttft, tpot }: Request): number => ttft + (n - 1) * tpot;

function forms(requests: readonly Request[]) {
  const several = requests.filter(({ n }) => n > 1);
  return ntpotForms(
    {
      exact: mean(requests.map((r) => e2e(r) / r.n)),
      ttftShare: mean(requests.map((r) => r.ttft / r.n)),
      ttft: mean(requests.map((r) => r.ttft)),
      tpot: several.length === 0 ? null : mean(several.map((r) => r.tpot)),
    },
    mean(requests.map((r) => r.n)),
  );
}

describe('NTPOT’s two forms', () => {
  it('by hand: answers of 2 and of 10 tokens, TTFT 60, TPOT 10', () => {
    // Exact: (70/2 + 150/10)/2 = 25. Aggregate: 10 + 60/6 = 20.
    const f = forms([
      { n: 2, ttft: 60, tpot: 10 },
      { n: 10, ttft: 60, tpot: 10 },
    ]);
    expect(f.aggregate).toBeCloseTo(20, 12);
    expect(f.exactMinusAggregate).toBeCloseTo(5, 12);
    // mean(60/n) − 60/6 = 18 − 10; −mean(10/n) = −3.
    expect(f.ofLengths).toBeCloseTo(8, 12);
    expect(f.ofFirstToken).toBeCloseTo(-3, 12);
  });

  it('of equal requests differ by TPOT/n alone', () => {
    const f = forms(Array.from({ length: 5 }, () => ({ n: 20, ttft: 100, tpot: 8 })));
    expect(f.ofLengths).toBeCloseTo(0, 12);
    expect(f.exactMinusAggregate).toBeCloseTo(-8 / 20, 12);
  });

  it('of answers of one token are TTFT both', () => {
    const f = forms([
      { n: 1, ttft: 40, tpot: 0 },
      { n: 1, ttft: 60, tpot: 0 },
    ]);
    expect(f.aggregate).toBe(50);
    expect(f.exactMinusAggregate).toBe(0);
  });

  it('differ by the sum of their parts, and the part of the lengths is never below 0 when TTFT does not go with them', () => {
    const request = fc.record({
      n: fc.integer({ min: 1, max: 4000 }),
      ttft: fc.double({ min: 1, max: 500, noNaN: true }),
      tpot: fc.double({ min: 1, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 40 }), (requests) => {
        const f = forms(requests);
        expect(f.ofLengths + f.ofFirstToken).toBeCloseTo(f.exactMinusAggregate, 9);
        const alike = forms(requests.map((r) => ({ ...r, ttft: 100 })));
        expect(alike.ofLengths).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });
});
