/** Window, overload, warm runs, offered rates: what real pages print. */
import { describe, expect, it } from 'vitest';
import { offeredNotCompleted } from '../../../src/claims/arithmetic/offered-not-completed.ts';
import { overload } from '../../../src/claims/arithmetic/overload.ts';
import { warmAgainstCold } from '../../../src/claims/arithmetic/warm-against-cold.ts';
import { window } from '../../../src/claims/arithmetic/window.ts';
import { claim, headline, type RowText } from './build-claim.ts';

describe('window', () => {
  it('puts 500 requests at 32 a second at 15.6 s of sending', () => {
    const [one] = window.run(
      claim({ rows: [{ id: 'a', rate: '32 req/s', requests: 500, figures: { tpot: '20 ms' } }] }),
    );
    expect(one!.state).toBe('limits');
    expect(one!.working).toEqual(['500 requests / 32 req/s = 15.63 s of sending']);
    expect(one!.finding).toContain('within 15.63 s');
    expect(one!.figures).toEqual(['a.tpot']);
  });

  it('holds it against the latency where one is given', () => {
    const at = (requests: number) =>
      window.run(
        claim({ rows: [{ id: 'a', rate: '32 req/s', requests, figures: { e2e_mean: '5.0 s' } }] }),
      )[0]!;
    expect(at(500).finding).toContain('only 3.125 times as long');
    expect([at(500).state, at(32 * 60).state]).toEqual(['limits', 'agrees']);
    expect(at(32 * 60).figures).toEqual([]);
  });

  it('says of rate = inf that it is a burst, and how long it took', () => {
    const [one] = window.run(
      claim({
        rows: [{ id: 'a', rate: 'inf', requests: 500, figures: { request_throughput: '25.0 req/s' } }],
      }),
    );
    expect(one!.state).toBe('limits');
    expect(one!.working).toEqual(['500 requests / 25 a second = 20 s from first to last']);
  });

  it('says that 100 requests cannot fill 2,000 slots', () => {
    const at = (requests: number) =>
      window.run(
        claim({ rows: [{ id: 'a', concurrency: 2000, requests, figures: { e2e_p50: '11.6 ms' } }] }),
      )[0]!;
    expect(at(100).finding).toContain('no more than 100 can have been filled');
    expect(at(1000).finding).toContain('no more than 1,000 can have been filled');
    expect(at(20_000).state).toBe('agrees');
    expect(at(2000).finding).toContain('Each slot took 1 request:');
  });

  it('sees that 3,200 requests at 16 a second took 200 s where the other levels took 300', () => {
    const sweep = [
      [1, 300],
      [2, 600],
      [4, 1200],
      [8, 2400],
      [16, 3200],
    ].map(([rate, requests]) => ({
      id: `r${rate}`,
      rate: `${rate} req/s`,
      requests: requests!,
    }));
    const unequal = window.run(claim({ rows: sweep })).at(-1)!;
    expect(unequal.rows).toEqual(['r16']);
    expect(unequal.working.at(-1)).toBe('r16: 3200 requests / 16 req/s = 200 s of sending');
    expect(
      window.run(claim({ rows: sweep.slice(0, 4) })).every(({ title }) => !title.includes('Times')),
    ).toBe(true);
  });
});

const level = (rate: number, tokens: string, ttft: string, duration: number): RowText => ({
  id: `r${rate}`,
  rate: `${rate} req/s`,
  duration: `${duration} s`,
  output: 1000,
  length: 'fixed',
  figures: { output_throughput: `${tokens} tok/s`, ttft_mean: `${ttft} s` },
});

describe('overload', () => {
  const random = [
    level(3, '1314.0', '0.622', 20),
    level(10, '3568.5', '0.826', 20),
    level(20, '4933.1', '25.073', 38),
    level(60, '4835.2', '57.426', 25),
    { id: 'summary', figures: { ttft_p90: '92.551 s' } },
  ];

  it('finds the rates past the rise of throughput, and predicts nothing where 3 a second already complete 1.3', () => {
    const [one] = overload.run(
      claim({ rows: random, headlines: [headline('57', '57x', 'summary.ttft_p90', 'r3.ttft_mean')] }),
    );
    expect(one!.rows).toEqual(['r60', 'summary']);
    expect(one!.headlines).toEqual(['57']);
    expect(one!.finding).toBe(
      'At 60 a second throughput no longer rises (4933.1 tok/s at 20/s, 4835.2 tok/s at 60/s) while TTFT mean does (0.622 s at 3/s, 57.426 s at 60/s).',
    );
    expect(one!.working.join()).not.toContain('later for each second');
    expect(one!.working.join()).toContain('43.8 % of the lowest rate');
  });

  it('offers a capacity where low rates are completed as offered, and holds its delay against the latency printed', () => {
    const at = (ttft: string) =>
      overload.run(
        claim({
          rows: [
            level(3, '2990', '0.3', 100),
            level(6, '5950', '0.4', 100),
            level(10, '7900', '1.0', 100),
            level(20, '8000', ttft, 100),
          ],
        }),
      )[0]!;
    // (20 / 8 − 1) × 100 s / 2 = 75 s.
    expect(at('70.0').finding).toContain('would make latencies as printed');
    expect(at('70.0').working.at(-1)).toBe(
      'r20: 1 − 8 / 20 = 0.6 s later for each second that passes, if 8 a second is what it can serve: 75 s on average in 100 s of sending, all served to the end; printed: TTFT mean 70.0 s, 69.7 s more than at the lowest rate',
    );
    expect(at('5.0').finding).toContain('would make other latencies than those printed');
  });

  it('does not take a drain inside the window, or a flat latency, for overload', () => {
    // Completed is below offered everywhere, as short steps with long replies have it; it grows with the rate.
    const growing = [
      level(3, '1314.0', '0.3', 20),
      level(10, '3902', '0.3', 20),
      level(20, '7500', '0.9', 20),
    ];
    expect(overload.run(claim({ rows: growing }))[0]!.state).toBe('not applicable');
    const flat = [level(20, '9184.5', '0.363', 38), level(60, '10496.9', '0.283', 25)];
    expect(overload.run(claim({ rows: flat }))[0]!.state).toBe('not applicable');
  });
});

describe('warm against cold', () => {
  const run = (id: string, system: string, kind: 'warm' | 'cold', total: string): RowText => ({
    id,
    system,
    run: kind,
    requests: 20,
    figures: { e2e: total },
  });
  const rows = [
    run('tgi-2', 'TGI', 'warm', '2 s'),
    run('vllm-2', 'vLLM', 'warm', '27.5 s'),
    run('tgi-1', 'TGI', 'cold', '12.1 s'),
    run('vllm-1', 'vLLM', 'cold', '28.3 s'),
  ];
  const lower = { better: 'lower' } as const;

  it('computes both ratios: 27.5 / 2 warm, 28.3 / 12.1 cold', () => {
    const headlines = [headline('13', '13x', 'tgi-2.e2e', 'vllm-2.e2e', lower)];
    const [one] = warmAgainstCold.run(claim({ rows, headlines }));
    expect(one!.state).toBe('limits');
    expect(one!.working[1]).toBe('cold: 28.3 s / 12.1 s = 2.325 to 2.353');
    expect(one!.finding).toContain('10.98 to 18.37 warm, 2.325 to 2.353 in the first run');
  });

  it('finds one warm side, and caches that differ', () => {
    const headlines = [headline('14', '14x', 'tgi-2.e2e', 'vllm-1.e2e', lower)];
    expect(warmAgainstCold.run(claim({ rows, headlines }))[0]!.finding).toContain('the other a cold one');
    const systems = [
      { name: 'TGI', prefixCache: 'on' },
      { name: 'vLLM', prefixCache: 'off' },
    ] as const;
    expect(warmAgainstCold.run(claim({ rows, headlines, systems }))[0]!.finding).toContain('on for one side');
  });

  it('asks where nothing is stated', () => {
    const [one] = warmAgainstCold.run(claim({ rows: [{ id: 'a', figures: { e2e: '1 s' } }] }));
    expect([one!.state, one!.questions.length]).toEqual(['not applicable', 2]);
  });
});

describe('offered, not completed', () => {
  const system = (id: string, tokens: string, requests: string): RowText => ({
    id,
    system: id,
    output: 1000,
    length: 'fixed',
    figures: { output_throughput: `${tokens} tok/s`, request_throughput: `${requests} req/s` },
  });
  const llmd = [
    system('precise', '8730.0', '35.562'),
    system('estimated', '6944.4', '36.068'),
    system('random', '4428.7', '35.671'),
    system('load', '4266.4', '36.298'),
  ];

  it('finds 8.73 completed of 35.562 a second, and the same offered rate on all sides', () => {
    const results = offeredNotCompleted.run(claim({ rows: llmd }));
    expect(results.map(({ state }) => state)).toEqual(Array(5).fill('limits'));
    expect(results[0]!.finding).toContain(
      'If replies had the 1,000 tokens stated, 8.73 requests a second were completed, 24.5 % of the 35.562 req/s',
    );
    expect(results[4]!.finding).toContain('within 2.1 %');
    expect(results[4]!.finding).toContain('104.6 %');
  });

  it('confirms requests and tokens that give the length of replies', () => {
    const [one] = offeredNotCompleted.run(claim({ rows: [system('a', '8730.0', '8.73')] }));
    expect([one!.state, one!.figures]).toEqual(['agrees', ['a.request_throughput', 'a.output_throughput']]);
  });
});
