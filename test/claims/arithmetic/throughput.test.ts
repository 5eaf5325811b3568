/** Little's law and occupancy: what real pages print, and the same tables bent. */
import { describe, expect, it } from 'vitest';
import { littlesLaw } from '../../../src/claims/arithmetic/littles-law.ts';
import { occupancy } from '../../../src/claims/arithmetic/occupancy.ts';
import { claim, type RowText } from './build-claim.ts';

const nim = (
  system: string,
  concurrency: number,
  throughput: string,
  ttft: string,
  itl: string,
): RowText => ({
  id: `${system}-${concurrency}`,
  system,
  concurrency,
  input: 5000,
  output: 500,
  length: 'fixed',
  figures: { output_throughput: `${throughput} tok/s`, ttft: `${ttft} ms`, itl: `${itl} ms` },
});

describe('occupancy', () => {
  const two = claim({
    rows: [nim('1.5.0', 200, '777.02', '73326.6', '87.64'), nim('1.8.0', 200, '920.54', '61680.22', '93.06')],
  });

  it('finds 91.0 % and 99.5 % of 200 slots in the published rows', () => {
    const results = occupancy.run(two);
    expect(results.map(({ state }) => state)).toEqual(['limits', 'agrees', 'limits']);
    expect(results[0]!.finding).toContain('91.0 % full');
    expect(results[1]!.finding).toContain('99.5 % full');
    expect(results[0]!.working[0]).toBe('Which statistic TTFT is, is not stated: taken as the mean.');
  });

  it('says what of their ratio is the window', () => {
    const compared = occupancy.run(two)[2]!;
    expect(compared.rows).toEqual(['1.5.0-200', '1.8.0-200']);
    // 920.54 / 777.02 = 1.1847; (920.54 / 0.9951) / (777.02 / 0.9097) = 1.083.
    expect(compared.finding).toContain('of the 18.5 % more throughput, 8.3 % is left');
  });

  it('confirms one slot that is never empty, and does not where the length of replies is a limit', () => {
    const alone = nim('1.5.0', 1, '48.44', '368.1', '19.94');
    expect(occupancy.run(claim({ rows: [alone] }))[0]!.state).toBe('agrees');
    const [none] = occupancy.run(claim({ rows: [{ ...alone, length: 'max' }] }));
    expect(none!.state).toBe('not applicable');
  });

  it('is above 100 % where throughput is doubled: contradicted only with every definition stated', () => {
    const doubled = nim('1.8.0', 200, '1841.08', '61680.22', '93.06');
    const [limits] = occupancy.run(claim({ rows: [doubled] }));
    expect(limits!.state).toBe('limits');
    expect(limits!.finding).toContain('199');
    const stated = {
      ...nim('1.8.0', 200, '1', '1', '1'),
      figures: { output_throughput: '3000 tok/s', ttft_mean: '61.68 s', tpot_mean: '93.06 ms' },
    };
    const measurement = { t0: 'sent', window: 'the whole run', tokenSource: 'usage' } as const;
    expect(occupancy.run(claim({ rows: [stated], measurement }))[0]!.state).toBe('contradicts');
    expect(occupancy.run(claim({ rows: [stated] }))[0]!.state).toBe('limits');
  });
});

describe("Little's law", () => {
  const vultr: RowText[] = [
    [5, '164', '6.11'],
    [10, '321', '6.22'],
    [25, '734', '6.79'],
    [50, '1,292', '7.71'],
    [75, '1,290', '7.72'],
    [100, '1,291', '7.73'],
  ].map(([concurrency, throughput, p99]) => ({
    id: `c${concurrency}`,
    concurrency: concurrency as number,
    output: 200,
    length: 'fixed',
    figures: { output_throughput: `${throughput} tok/s`, e2e_p99: `${p99} s` },
  }));

  it('sees that the levels 75 and 100 ran at 50: 200.4, 199.7, 199.4, 199.2, then 132.8 and 99.8', () => {
    const results = littlesLaw.run(claim({ rows: vultr }));
    const sweep = results.find(({ title }) => title.includes('sweep'))!;
    const products = sweep.working.slice(0, 6).map((line) => line.split(' = ')[1]);
    expect(products).toEqual(['200.4', '199.7', '199.4', '199.2', '132.8', '99.8']);
    expect(sweep.finding).toContain('constant up to 50');
    expect(sweep.finding).toContain('as the level 50 did');
    expect(sweep.rows).toEqual(['c75', 'c100']);
    expect(sweep.explanations[0]).toContain('no more than 50 requests were sent');
  });

  it('says of a p99 what the slowest would have to take, and nothing of levels that fit', () => {
    const rows = littlesLaw.run(claim({ rows: vultr })).filter(({ title }) => title.includes('row'));
    expect(rows.map((one) => one.rows)).toEqual([['c75'], ['c100']]);
    expect(rows.every(({ state }) => state === 'limits')).toBe(true);
    // 100 / 6.455 = 15.49 s mean; (15.49 − 0.99 × 7.73) / 0.01 = 783.9 s.
    expect(rows[1]!.finding).toContain('the slowest 1 % took 783.9 s');
  });

  it('finds no sweep where throughput keeps growing', () => {
    const growing = vultr.slice(0, 4);
    expect(littlesLaw.run(claim({ rows: growing })).map(({ state }) => state)).toEqual(['not applicable']);
  });

  const closed = (figures: Record<string, string>): RowText => ({ id: 'a', concurrency: 64, figures });
  it('confirms a closed loop: 32 a second × 1.98 s = 63.4 of 64', () => {
    const [agrees] = littlesLaw.run(
      claim({ rows: [closed({ request_throughput: '32.0 req/s', e2e_mean: '1.98 s' })] }),
    );
    expect(agrees!.state).toBe('agrees');
    expect(agrees!.figures).toEqual(['a.request_throughput', 'a.e2e_mean']);
  });

  it('limits too few in flight, and contradicts too many only with t0 sent over the whole run', () => {
    const few = closed({ request_throughput: '20.0 req/s', e2e_mean: '1.98 s' });
    expect(littlesLaw.run(claim({ rows: [few] }))[0]!.finding).toContain('filled 61.9 %');
    const many = closed({ request_throughput: '40.0 req/s', e2e_mean: '1.98 s' });
    const measurement = { t0: 'sent', window: 'whole run', tokenSource: 'usage' } as const;
    // Requests a second may be the offered rate, even then; tokens cannot.
    expect(littlesLaw.run(claim({ rows: [many], measurement }))[0]!.state).toBe('limits');
    const tokens = (latency: string): RowText => ({
      ...closed({ output_throughput: '4000 tok/s', [latency]: '1.98 s' }),
      output: 100,
      length: 'fixed',
    });
    const state = (row: RowText) => littlesLaw.run(claim({ rows: [row], measurement }))[0]!.state;
    expect(state(tokens('e2e_mean'))).toBe('contradicts');
    expect(state(tokens('e2e'))).toBe('limits');
    expect(littlesLaw.run(claim({ rows: [tokens('e2e_mean')] }))[0]!.state).toBe('limits');
    // Free text is not read: each of these is of a part of the run.
    for (const window of [
      'not the whole run',
      'all requests completed in the middle 60 s of the run',
      'full-load period only, ramp and drain excluded',
      'all requests that started after warm-up, window 20 s to 100 s',
      'all',
    ]) {
      const part = claim({ rows: [tokens('e2e_mean')], measurement: { ...measurement, window } });
      expect(littlesLaw.run(part)[0]!.state, window).toBe('limits');
    }
  });
});
