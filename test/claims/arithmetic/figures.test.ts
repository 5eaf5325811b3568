/** Identities, counts, restated figures. */
import { describe, expect, it } from 'vitest';
import { counts } from '../../../src/claims/arithmetic/counts.ts';
import { identities } from '../../../src/claims/arithmetic/identities.ts';
import { restatedFigures } from '../../../src/claims/arithmetic/restated-figures.ts';
import { claim, quantity, type RowText } from './build-claim.ts';

/** Profile M: TTFT 200 ms, ITL 20 ms, 50 tokens; E2E 1,180 ms, NTPOT 23.6 ms. */
const profile = (figures: Record<string, string>, more: Partial<RowText> = {}) =>
  claim({
    rows: [{ id: 'm', output: 50, length: 'fixed', figures, ...more }],
    measurement: { tokenSource: 'usage' },
  });
const first = (...given: Parameters<typeof profile>) => identities.run(profile(...given))[0]!;
const M = { e2e_mean: '1,180 ms', ttft_mean: '200 ms', tpot_mean: '20.0 ms' };

describe('identities', () => {
  it('confirms 200 + 49 × 20 = 1,180 ms', () => {
    expect(first(M)).toMatchObject({
      state: 'agrees',
      figures: ['m.e2e_mean', 'm.ttft_mean', 'm.tpot_mean'],
    });
  });

  it('names what a longer E2E may hold, and contradicts a shorter one only with all stated', () => {
    expect(first({ ...M, e2e_mean: '1,480 ms' })).toMatchObject({ state: 'limits' });
    expect(first({ ...M, e2e_mean: '780 ms' })).toMatchObject({ state: 'contradicts' });
    const unstated = { e2e: '780 ms', ttft_mean: '200 ms', tpot_mean: '20.0 ms' };
    expect(first(unstated)).toMatchObject({ state: 'limits' });
    const counted = {
      ...profile({ ...M, e2e_mean: '780 ms' }),
      measurement: { ...profile(M).measurement, tokenSource: 'chunks' as const },
    };
    expect(identities.run(counted)[0]!.state).toBe('limits');
  });

  it('knows a TPOT of E2E / N, events of two tokens, and lengths that vary', () => {
    expect(first({ ...M, tpot_mean: '23.6 ms' }).finding).toContain('TPOT is E2E / N');
    const events = { e2e_mean: '1,180 ms', ttft_mean: '200 ms', itl_mean: '40.8 ms' };
    expect(first(events)).toMatchObject({ state: 'limits' });
    expect(first(events).explanations[0]).toContain('several tokens');
    expect(first({ ...M, e2e_mean: '1,300 ms' }, { length: 'mean' }).finding).toContain('covariance');
  });

  it('holds NTPOT to TPOT + TTFT / N, by either definition', () => {
    const ntpot = (text: string) =>
      first({ ttft_mean: '200 ms', tpot_mean: '20.0 ms', ntpot_mean: text }).state;
    expect(['23.6 ms', '24.0 ms', '30.0 ms', '15.0 ms'].map(ntpot)).toEqual([
      'agrees',
      'agrees',
      'limits',
      'contradicts',
    ]);
  });

  it('takes N for N − 1 only where the rest of the row does', () => {
    const states = (figures: Record<string, string>) =>
      identities.run(profile(figures)).map(({ title, state }) => `${title.split(',')[0]}: ${state}`);
    expect(states({ ...M, ntpot_mean: '23.60 ms' })).toEqual([
      'E2E from its parts: agrees',
      'NTPOT from its parts: agrees',
      'E2E from NTPOT: agrees',
    ]);
    // 200 + 50 × 20 = 1,200 ms, and 50 × 24.00: all by N. E2E by N and NTPOT by N − 1 do not go together, nor the other way round.
    const byN = { ...M, e2e_mean: '1,200 ms', ttft_mean: '200.0 ms', tpot_mean: '20.00 ms' };
    expect(states({ ...byN, ntpot_mean: '24.00 ms' }).every((one) => one.endsWith('agrees'))).toBe(true);
    expect(states({ ...byN, ntpot_mean: '23.60 ms' }).every((one) => one.endsWith('limits'))).toBe(true);
    expect(states(byN)).toEqual(['E2E from its parts: limits']);
    expect(states({ ...M, tpot_mean: '20.00 ms', ntpot_mean: '23.90 ms' }).slice(1)).toEqual([
      'NTPOT from its parts: limits',
      'E2E from NTPOT: limits',
    ]);
    // Between the two definitions, without an E2E.
    const between = { ttft_mean: '200.0 ms', tpot_mean: '20.00 ms', ntpot_mean: '23.80 ms' };
    expect(states(between)).toEqual(['NTPOT from its parts: limits']);
  });

  it('names the definition of tokens a second a user that fits, or that none does', () => {
    const user = (text: string) =>
      first({ e2e_mean: '1,180 ms', itl_mean: '20.0 ms', user_throughput: text });
    expect(user('50.0 tok/s').finding).toBe('It is 1 / ITL.');
    expect(user('42.4 tok/s').finding).toContain('N / E2E');
    expect(user('44.0 tok/s')).toMatchObject({ state: 'agrees', figures: [] });
    expect([user('80.0 tok/s').state, user('30.0 tok/s').state]).toEqual(['limits', 'limits']);
  });

  it('contradicts a total below its part, and adds input and output', () => {
    const total = (text: string, input = '269 tok/s') =>
      first({ total_throughput: text, output_throughput: '164 tok/s', input_throughput: input }).state;
    expect([total('433 tok/s'), total('500 tok/s'), total('100 tok/s')]).toEqual([
      'agrees',
      'limits',
      'contradicts',
    ]);
  });
});

describe('counts', () => {
  const run = (figures: Record<string, string>, more: Partial<RowText> = {}, window: string | null = null) =>
    counts
      .run(
        claim({
          rows: [{ id: 'a', requests: 1000, ...more, figures }],
          measurement: { window, tokenSource: 'usage' },
        }),
      )
      .map(({ state }) => state);

  it('adds completed and failed', () => {
    expect(run({ completed: '990', failed: '10' })).toEqual(['agrees']);
    expect(run({ completed: '980', failed: '10' })).toEqual(['limits']);
    expect(run({ completed: '1015', failed: '10' }, {}, 'whole run')).toEqual(['contradicts']);
    // Some of them may have been sent before the window.
    expect(run({ completed: '1015', failed: '10' })).toEqual(['limits']);
  });

  it('contradicts no way of counting that is in use', () => {
    const states = (requests: number, figures: Record<string, string>) =>
      run(figures, { requests }, 'whole run').filter((state) => state !== 'agrees');
    // AIPerf: completed = success + error. Locust: failures are among the requests. Retries: attempts. Attempts counted as completed.
    expect(states(12, { completed: '12', failed: '3', success_rate: '75 %' })).toEqual(['limits', 'limits']);
    expect(states(18, { completed: '18', failed: '4' })).toEqual(['limits']);
    expect(states(1000, { completed: '1000', failed: '12' })).toEqual(['limits']);
    expect(states(1000, { completed: '1012' })).toEqual(['limits']);
    expect(states(1000, { completed: '995', failed: '10' })).toEqual(['limits']);
    // guidellm: the rest was cancelled.
    expect(states(1000, { completed: '950', success_rate: '100 %' })).toEqual(['limits']);
    expect(states(1000, { completed: '950', failed: '0', success_rate: '100 %' })).toEqual(['limits']);
  });

  it('writes one request as one', () => {
    const [one] = counts.run(
      claim({ rows: [{ id: 'a', requests: 10, figures: { completed: '9', failed: '0' } }] }),
    );
    expect(one!.finding).toBe('1 request neither completed nor failed.');
  });

  it('holds counts against the success rate of the row and of the claim, and limits all of the row', () => {
    const of = (figures: Record<string, string>, stated: string | null) => {
      const successRate = stated === null ? null : quantity(stated);
      const rows = [{ id: 'a', requests: 4000, figures: { ...figures, ttft_mean: '50 ms' } }];
      return counts
        .run(claim({ rows, measurement: { successRate } }))
        .filter(({ title }) => title.startsWith('Success'))
        .map(({ state, figures: about }) => `${state} ${about.length}`);
    };
    expect(of({ completed: '4000', failed: '0' }, '50 %')).toEqual(['limits 3']);
    expect(of({ completed: '4000', failed: '0', success_rate: '50 %' }, null)).toEqual(['limits 4']);
    expect(of({ completed: '3600' }, '100 %')).toEqual(['limits 2']);
    expect(of({ completed: '4000', failed: '0' }, '100 %')).toEqual(['agrees 0']);
    expect(of({ completed: '3600', failed: '400' }, '90 %')).toEqual(['agrees 0']);
  });

  it('holds the rate against requests, time and requests a second', () => {
    type Held = { rate: string; printed?: string; window?: string; arrivals?: 'constant' | 'poisson' };
    const held = ({ rate, printed, window = 'whole run', arrivals = 'constant' }: Held) =>
      counts
        .run(
          claim({
            rows: [
              {
                id: 'a',
                rate,
                requests: 4000,
                duration: '10 s',
                figures: printed === undefined ? { ttft_mean: '50 ms' } : { request_throughput: printed },
              },
            ],
            measurement: { window, arrivals },
          }),
        )
        .filter(({ title }) => /^Rate of|against the rate/.test(title))
        .map(({ state }) => state);
    expect(held({ rate: '400 req/s', printed: '400.01 req/s' })).toEqual(['agrees', 'agrees']);
    // Twice the rate that was sent: it was not held. Half of it: it cannot have been.
    expect(held({ rate: '800 req/s', printed: '400.01 req/s' })).toEqual(['limits', 'limits']);
    expect(held({ rate: '200 req/s', printed: '400.01 req/s' })).toEqual(['contradicts', 'contradicts']);
    expect(held({ rate: '200 req/s', window: 'all requests' })).toEqual(['limits']);
    expect(held({ rate: '200 req/s', arrivals: 'poisson' })).toEqual(['limits']);
    expect(held({ rate: '400 req/s', printed: '420 req/s' })).toEqual(['agrees', 'limits']);
    // Five of 1 / √4000 are 8 %: 425 drawn arrivals a second may be of a rate of 400.
    expect(held({ rate: '400 req/s', printed: '425 req/s', arrivals: 'poisson' })).toEqual([
      'agrees',
      'agrees',
    ]);
    expect(held({ rate: '400 req/s', printed: '390 req/s' })).toEqual(['agrees', 'agrees']);
    expect(held({ rate: '400 req/s', printed: '200 req/s' })).toEqual(['agrees', 'limits']);
  });

  it('divides them for the success rate', () => {
    expect(run({ completed: '993', success_rate: '99.3 %' })).toEqual(['agrees']);
    expect(run({ completed: '993', success_rate: '100 %' })).toEqual(['agrees']);
    expect(run({ completed: '993', success_rate: '100.0 %' })).toEqual(['limits']);
  });

  it('divides them by the time', () => {
    const timed = { duration: '100 s' };
    expect(run({ request_throughput: '10.0 req/s' }, timed)).toEqual(['agrees']);
    expect(run({ request_throughput: '7.0 req/s' }, timed)).toEqual(['limits']);
    expect(run({ request_throughput: '13.0 req/s' }, timed)).toEqual(['limits']);
    const tokens = { ...timed, output: 100, length: 'fixed' } as const;
    expect(run({ output_throughput: '1000 tok/s' }, tokens)).toEqual(['agrees']);
    expect(run({ output_throughput: '1300 tok/s' }, tokens)).toEqual(['limits']);
    expect(run({ output_throughput: '1300 tok/s' }, tokens, 'the whole run')).toEqual(['contradicts']);
  });
});

describe('restated figures', () => {
  const two = (a: Record<string, string>, b: Record<string, string>) =>
    restatedFigures.run(
      claim({
        rows: [
          { id: 'random', figures: a },
          { id: 'load', system: 'two', figures: b },
        ],
      }),
    );

  it('finds 4428.7 tok/s for two schedulers whose TTFT differ', () => {
    const [one] = two(
      { output_throughput: '4428.7 tok/s', ttft_p90: '92.551 s' },
      { output_throughput: '4428.7 tok/s', ttft_p90: '94.865 s' },
    );
    expect(one!.state).toBe('limits');
    expect(one!.figures).toEqual(['random.output_throughput', 'load.output_throughput']);
    // 0.1 / (0.1 × 4428.7) is once in 4,429.
    expect(one!.working[0]).toContain('once in 4,429 times');
    expect(one!.finding).toContain('one of them may be a copy');
  });

  it('does not wonder at few digits, counts or a rate that was asked for', () => {
    const none = ['not applicable'];
    const states = (a: Record<string, string>) => two(a, a).map(({ state }) => state);
    expect(states({ itl_mean: '0.024 s' })).toEqual(none);
    expect(states({ completed: '1000', request_throughput: '50.000 req/s' })).toEqual(none);
  });

  it('says that two rows alike in all are one run', () => {
    const row = { output_throughput: '4428.7 tok/s', ttft_p90: '92.551 s' };
    expect(two(row, row)[0]!.finding).toContain('one run, not two');
  });

  it("passes on what a page's own report says otherwise", () => {
    const results = restatedFigures.run(
      claim({ rows: [{ id: 'a' }], says: 'The report prints 4266.4 tok/s.' }),
    );
    expect(results.map(({ state, finding }) => [state, finding])).toEqual([
      ['limits', 'The report prints 4266.4 tok/s.'],
    ]);
  });
});
