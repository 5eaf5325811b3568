import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundOn } from '../../../src/claims/evidence/bound-on.ts';
import { quantity } from './sample-claim.ts';

const of16 = { outputTokens: quantity(16), outputLength: 'fixed' as const };

describe('what one bound means for a figure', () => {
  it.each([
    ['ttft', 'mean', 3],
    ['e2e', 'p50', 3],
    ['tpot', 'mean', 0.4],
    ['itl', 'mean', 0.4],
    ['ntpot', 'mean', 0.1875],
    ['tpot', 'p50', 3],
    ['itl', 'p99', 3],
    ['ntpot', null, 3],
  ] as const)('%s %s: %f ms of 3 ms, for 16 tokens', (metric, statistic, bound) => {
    expect(boundOn({ metric, statistic }, of16, 3)).toBeCloseTo(bound, 12);
  });

  it('is not divided where lengths are not fixed, or of one token', () => {
    const tpot = { metric: 'tpot', statistic: 'mean' } as const;
    expect(boundOn(tpot, { ...of16, outputLength: 'mean' }, 3)).toBe(3);
    expect(boundOn(tpot, { ...of16, outputTokens: null }, 3)).toBe(3);
    expect(boundOn(tpot, { ...of16, outputTokens: quantity(1) }, 3)).toBe(3);
  });

  it('holds of any requests whose TTFT and E2E are off by as much on average', () => {
    const ms = fc.integer({ min: 0, max: 100 });
    const added = fc.integer({ min: -3, max: 3 });
    const request = fc.record({ ttft: ms, rest: ms, early: added, late: added });
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 2, max: 500 }),
        (requests, tokens) => {
          const row = { outputTokens: quantity(tokens), outputLength: 'fixed' as const };
          const mean = (of: (one: (typeof requests)[number]) => number) =>
            requests.reduce((sum, one) => sum + of(one), 0) / requests.length;
          const bound = Math.max(Math.abs(mean(({ early }) => early)), Math.abs(mean(({ late }) => late)));
          const tpot = mean(
            ({ rest, early, late }) => (rest + late - early) / (tokens - 1) - rest / (tokens - 1),
          );
          const ntpot = mean(({ late }) => late / tokens);
          const off = (metric: 'tpot' | 'ntpot') => boundOn({ metric, statistic: 'mean' }, row, bound) + 1e-9;
          return Math.abs(tpot) <= off('tpot') && Math.abs(ntpot) <= off('ntpot');
        },
      ),
    );
  });
});
