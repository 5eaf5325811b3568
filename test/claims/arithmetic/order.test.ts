import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderOfStatistics } from '../../../src/claims/arithmetic/order-of-statistics.ts';
import { claim } from './build-claim.ts';

const states = (figures: Record<string, string>, requests?: number) =>
  orderOfStatistics
    .run(claim({ rows: [{ id: 'a', ...(requests === undefined ? {} : { requests }), figures }] }))
    .filter(({ state }) => state !== 'agrees')
    .map(({ state, title }) => `${state}: ${title}`);

describe('order of statistics', () => {
  it('contradicts a p90 above a p99 by more than their digits', () => {
    expect(states({ ttft_p90: '1.21 s', ttft_p99: '1.20 s' })).toEqual([]);
    expect(states({ ttft_p90: '1.22 s', ttft_p99: '1.20 s' })).toEqual(['limits: Order of TTFT, row a']);
    expect(states({ ttft_p90: '1.25 s', ttft_p99: '1.20 s' })).toEqual(['contradicts: Order of TTFT, row a']);
  });

  it('lets a percentile of a histogram be a bucket above the exact maximum', () => {
    expect(states({ ttft_p99: '104 ms', ttft_max: '100 ms' })).toEqual([]);
    expect(states({ ttft_p99: '120 ms', ttft_max: '100 ms' })).toEqual(['contradicts: Order of TTFT, row a']);
  });

  it('contradicts a mean below 0.4 × p50 + 0.09 × p90 + 0.01 × p99, and none above a lone p99', () => {
    const name = 'Mean of TTFT within its percentiles, row a';
    // At least 0.5 × 100 + 0.1 × (1000 − 100) = 140.
    expect(states({ ttft_mean: '120 ms', ttft_p50: '100 ms', ttft_p90: '1000 ms' })).toEqual([
      `contradicts: ${name}`,
    ]);
    expect(states({ ttft_mean: '145 ms', ttft_p50: '100 ms', ttft_p90: '1000 ms' })).toEqual([]);
    expect(states({ ttft_mean: '9000 ms', ttft_p99: '100 ms' })).toEqual([]);
    const tooMuch = { ttft_mean: '9000 ms', ttft_p50: '90 ms', ttft_max: '10000 ms' };
    expect(states({ ...tooMuch, success_rate: '100 %' }, 1000)).toEqual([`contradicts: ${name}`]);
    // Of 1,000 that were sent perhaps one was completed.
    expect(states(tooMuch, 1000)).toEqual([]);
  });

  it('takes percentiles of a rate that fall for those of the other tail', () => {
    const user = { user_throughput_p50: '40 tok/s', user_throughput_p99: '28 tok/s' };
    expect(states(user)).toEqual(['limits: Order of throughput a user, row a']);
    expect(
      states(
        { ...user, user_throughput_mean: '45 tok/s', user_throughput_max: '60 tok/s', success_rate: '100 %' },
        1000,
      ),
    ).toEqual(['limits: Order of throughput a user, row a']);
    expect(states({ ...user, user_throughput_p90: '50 tok/s' })).toEqual([
      'contradicts: Order of throughput a user, row a',
    ]);
    expect(states({ ...user, user_throughput_min: '34 tok/s' })).toEqual([
      'contradicts: Order of throughput a user, row a',
    ]);
  });

  it('holds TTFT, NTPOT and gaps within E2E, statistic by statistic', () => {
    const E2E = { e2e_p50: '900 ms', e2e_p99: '1500 ms' };
    const across = (figures: Record<string, string>, all = true) =>
      orderOfStatistics
        .run(
          claim({
            rows: [
              {
                id: 'a',
                output: 50,
                length: 'fixed',
                figures: { ...E2E, ...figures, ...(all ? { failed: '0' } : {}) },
              },
            ],
            measurement: { window: 'whole run', t0: 'sent', tokenSource: 'usage' },
          }),
        )
        .filter(({ title }) => title.includes('within E2E'))
        .map(({ state, figures: about }) => `${state} ${about.join(' ')}`.trim());
    expect(across({ ttft_p50: '300 ms', ttft_p99: '1400 ms' })).toEqual(['agrees']);
    expect(across({ ttft_p99: '2000 ms' })).toEqual(['contradicts a.ttft_p99 a.e2e_p99']);
    // What failed after its first token has a TTFT and no E2E.
    expect(across({ ttft_p99: '2000 ms' }, false)).toEqual(['limits a.ttft_p99 a.e2e_p99']);
    expect(across({ ntpot_p50: '950 ms' })).toEqual(['contradicts a.ntpot_p50 a.e2e_p50']);
    // 49 × 20 ms = 980 ms.
    expect(across({ tpot_p50: '20.0 ms' })).toEqual(['contradicts a.tpot_p50 a.e2e_p50']);
    expect(across({ tpot_p50: '18.0 ms' })).toEqual(['agrees']);
  });

  it('names the one percentile that its neighbours leave no other value', () => {
    const figures = { ttft_p50: '40 ms', ttft_p90: '50 ms', ttft_p95: '50 ms', ttft_p99: '50 ms' };
    const [one] = orderOfStatistics.run(claim({ rows: [{ id: 'a', figures }] }));
    expect([one!.state, one!.figures]).toEqual(['agrees', ['a.ttft_p95']]);
  });

  it('confirms no figure by its order', () => {
    const figures = { ttft_mean: '60 ms', ttft_p50: '50 ms', ttft_p99: '100 ms', e2e_p50: '90 ms' };
    const results = orderOfStatistics.run(claim({ rows: [{ id: 'a', figures }] }));
    expect(results.length).toBeGreaterThan(2);
    for (const { state, figures: named } of results) expect([state, named]).toEqual(['agrees', []]);
  });

  it('holds median and mean within a standard deviation', () => {
    expect(states({ e2e_mean: '100 ms', e2e_p50: '50 ms', e2e_std: '20 ms' })).toEqual([
      'contradicts: Standard deviation of E2E, row a',
    ]);
    expect(states({ e2e_mean: '100 ms', e2e_p50: '50 ms', e2e_std: '60 ms' })).toEqual([]);
  });

  it('says clumped tokens where the median gap is 0', () => {
    expect(states({ itl_mean: '0.026 s', itl_p50: '0.0000 s', itl_p90: '0.063 s' })).toEqual([
      'limits: Clumped tokens, row a',
    ]);
    expect(states({ itl_mean: '0.026 s', itl_p50: '0.0200 s' })).toEqual([]);
  });

  it('finds any percentile bent above the next one by a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 10, max: 1e4, noNaN: true }), (p99) => {
        const bent = states({ e2e_p90: `${(p99 * 1.1).toFixed(3)} ms`, e2e_p99: `${p99.toFixed(3)} ms` });
        expect(bent).toEqual(['contradicts: Order of E2E, row a']);
      }),
    );
  });
});
