/** A true run with one figure bent by a stated amount: it is found, and it is that figure that is named. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARITHMETIC_CHECKS } from '../../../src/claims/arithmetic/all.ts';
import { claim } from './build-claim.ts';
import { type RunOptions, trueRun } from './true-run.ts';

/** A long closed loop with all of its definitions stated, printed to 3 digits after the point. */
const run = (seed: number): ReturnType<typeof trueRun> => {
  const options: RunOptions = {
    seed,
    requests: 200,
    load: 'closed',
    concurrency: 8,
    rateRps: 1,
    lengthSpread: 0,
    tokens: 20,
    tokensPerEvent: 1,
    t0: 'sent',
    heavyTail: false,
    tailMs: 0,
    failedShare: 0,
    quantileRule: 'linear',
    tpotRule: 'standard',
    tokenSource: 'usage',
    requestRate: 'completed',
    window: 'whole run',
    duration: 'total',
    digits: 3,
    cut: false,
    nameStatistics: true,
    countRule: 'apart',
    pace: 1,
    userTail: 'at most',
    ntpotRule: 'of a request',
    trimmedAs: 'the middle half',
  };
  return trueRun('a', 'one', options);
};

/** What says so of the figure: `contradicts littles-law`. */
function found(key: string, bend: (value: number) => number, seed: number): string[] {
  const { row, measurement } = run(seed);
  const text = row.figures![key]!;
  const [digits, unit] = text.split(' ');
  const places = digits!.includes('.') ? 3 : 0;
  const bent = `${bend(Number(digits)).toFixed(places)}${unit === undefined ? '' : ` ${unit}`}`;
  const checked = claim({ rows: [{ ...row, figures: { ...row.figures, [key]: bent } }], measurement });
  return ARITHMETIC_CHECKS.flatMap((check) => check.run(checked)).flatMap(({ state, check, figures }) =>
    (state === 'contradicts' || state === 'limits') && figures.includes(`a.${key}`)
      ? [`${state} ${check}`]
      : [],
  );
}

const BENT: readonly (readonly [string, string, (value: number) => number, string])[] = [
  ['output throughput + 15 %', 'output_throughput', (x) => 1.15 * x, 'contradicts littles-law'],
  ['output throughput + 15 %', 'output_throughput', (x) => 1.15 * x, 'contradicts counts'],
  ['output throughput − 15 %', 'output_throughput', (x) => 0.85 * x, 'limits littles-law'],
  ['requests a second + 20 %', 'request_throughput', (x) => 1.2 * x, 'limits offered-not-completed'],
  ['mean E2E + 15 %', 'e2e_mean', (x) => 1.15 * x, 'contradicts littles-law'],
  ['mean E2E − 10 %', 'e2e_mean', (x) => 0.9 * x, 'limits identities'],
  ['mean E2E − 25 %', 'e2e_mean', (x) => 0.75 * x, 'contradicts identities'],
  ['mean E2E + 5 ms', 'e2e_mean', (x) => x + 5, 'limits identities'],
  ['mean TPOT + 5 %', 'tpot_mean', (x) => 1.05 * x, 'limits identities'],
  ['mean TPOT + 40 %', 'tpot_mean', (x) => 1.4 * x, 'contradicts identities'],
  ['mean TPOT × 1.5', 'tpot_mean', (x) => 1.5 * x, 'contradicts order-of-statistics'],
  ['p99 of TTFT × 40', 'ttft_p99', (x) => 40 * x, 'contradicts order-of-statistics'],
  ['mean E2E + 5 %: not N · NTPOT', 'e2e_mean', (x) => 1.05 * x, 'limits identities'],
  [
    'p50 of a user / 4, below its minimum',
    'user_throughput_p50',
    (x) => x / 4,
    'contradicts order-of-statistics',
  ],
  ['mean NTPOT − 40 %', 'ntpot_mean', (x) => 0.6 * x, 'contradicts identities'],
  ['p90 of TTFT × 3', 'ttft_p90', (x) => 3 * x, 'contradicts order-of-statistics'],
  ['p50 of E2E × 2', 'e2e_p50', (x) => 2 * x, 'contradicts order-of-statistics'],
  ['mean of TTFT / 3', 'ttft_mean', (x) => x / 3, 'contradicts order-of-statistics'],
  ['completed + 5', 'completed', (x) => x + 5, 'contradicts counts'],
  ['success rate − 1', 'success_rate', (x) => x - 1, 'limits counts'],
  ['total throughput / 8', 'total_throughput', (x) => x / 8, 'contradicts identities'],
  ['throughput a user × 2', 'user_throughput', (x) => 2 * x, 'limits identities'],
];

describe('a bent figure', () => {
  it.each(BENT)('%s: %s', (_, key, bend, expected) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        expect(found(key, bend, seed)).toContain(expected);
      }),
      { seed: 1, numRuns: 5 },
    );
  });

  it('is not found where none is: the run is limited in nothing that it states', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { row, measurement } = run(seed);
      const states = ARITHMETIC_CHECKS.flatMap((check) => check.run(claim({ rows: [row], measurement })));
      expect(states.filter(({ state }) => state === 'contradicts' || state === 'limits')).toEqual([]);
    }
  });
});
