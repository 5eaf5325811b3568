import { describe, expect, it } from 'vitest';
import { ratios } from '../../../src/claims/arithmetic/ratios.ts';
import { claim, headline } from './build-claim.ts';

const llmd = [
  { id: 'precise', system: 'p', figures: { ttft_p90: '0.542 s', output_throughput: '8730.0 tok/s' } },
  { id: 'approximate', system: 'a', figures: { ttft_p90: '31.083 s', output_throughput: '6944.4 tok/s' } },
  { id: 'random', system: 'r', figures: { ttft_p90: '92.551 s', output_throughput: '4428.7 tok/s' } },
];
const check = (...given: Parameters<typeof headline>) =>
  ratios.run(claim({ rows: llmd, headlines: [headline(...given)] }))[0]!;
const lower = { better: 'lower' } as const;

describe('ratios', () => {
  it('follows 57x from 31.083 s and 0.542 s', () => {
    const one = check('57', '57x', 'precise.ttft_p90', 'approximate.ttft_p90', lower);
    expect(one.state).toBe('agrees');
    expect(one.headlines).toEqual(['57']);
    expect(one.working).toEqual(['31.083 s / 0.542 s = 57.29 to 57.4; claimed: 57x']);
  });

  it('holds "over" to the number: 170.8 is over 170, 1.971 is not over 2', () => {
    const at = { bound: 'at least' } as const;
    expect(check('170', '170x', 'precise.ttft_p90', 'random.ttft_p90', { ...lower, ...at }).state).toBe(
      'agrees',
    );
    const two = check('2', '2x', 'precise.output_throughput', 'random.output_throughput', at);
    expect(two.state).toBe('contradicts');
    expect(two.finding).toBe('Its figures give 1.971, which is less than 2x.');
    expect(check('2', '2x', 'precise.output_throughput', 'random.output_throughput').state).toBe('agrees');
  });

  it('lets 25 % stand for 25.7 % cut off, and not for 28 %', () => {
    const pair = ['precise.output_throughput', 'approximate.output_throughput'] as const;
    expect(check('25', '1.25x', ...pair).state).toBe('agrees');
    expect(check('28', '1.28x', ...pair).state).toBe('contradicts');
    expect(check('10', '1.10x', ...pair).state).toBe('limits');
  });

  it('does not compare what is not alike, and asks where no figures are given', () => {
    expect(check('a', '57x', 'precise.ttft_p90', 'random.output_throughput', lower).state).toBe('limits');
    const none = check('a', '2.7x', null, null);
    expect([none.state, none.questions.length]).toEqual(['not applicable', 1]);
  });
});
