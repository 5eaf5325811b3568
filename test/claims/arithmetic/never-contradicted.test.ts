/** The test that matters most: what really took place is never called contradicted, by whatever definitions it was printed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARITHMETIC_CHECKS } from '../../../src/claims/arithmetic/all.ts';
import { claim, headline } from './build-claim.ts';
import { print, type RunOptions, trueRun } from './true-run.ts';

const OPTIONS: fc.Arbitrary<RunOptions> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  requests: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 100 })),
  load: fc.constantFrom('closed', 'closed', 'poisson', 'constant', 'burst'),
  concurrency: fc.integer({ min: 1, max: 40 }),
  rateRps: fc.integer({ min: 1, max: 200 }),
  lengthSpread: fc.constantFrom(0, 0, 0.5, 0.95),
  tokens: fc.integer({ min: 1, max: 20 }),
  tokensPerEvent: fc.constantFrom(1, 1, 2, 4),
  t0: fc.constantFrom('sent', 'sent', 'queued', 'scheduled'),
  heavyTail: fc.boolean(),
  tailMs: fc.constantFrom(0, 0, 1, 300),
  failedShare: fc.constantFrom(0, 0, 0.1, 0.5),
  quantileRule: fc.constantFrom('linear', 'nearest', 'lower', 'higher'),
  tpotRule: fc.constantFrom('standard', 'standard', 'over-n', 'whole'),
  tokenSource: fc.constantFrom('usage', 'usage', 'requested', 'chunks', null),
  requestRate: fc.constantFrom('completed', 'offered'),
  window: fc.constantFrom('whole run', null, 'trimmed'),
  duration: fc.constantFrom('nominal', 'sending', 'total'),
  digits: fc.integer({ min: 0, max: 4 }),
  cut: fc.boolean(),
  nameStatistics: fc.boolean(),
  countRule: fc.constantFrom('apart', 'apart', 'among', 'retries', 'left out'),
  pace: fc.constantFrom(1, 1, 0.9, 0.4),
  userTail: fc.constantFrom('at most', 'at least'),
  ntpotRule: fc.constantFrom('of a request', 'of a request', 'of means'),
  trimmedAs: fc.constantFrom(
    'the middle half',
    'not the whole run',
    'all requests completed in the middle half of the run',
    'full-load period only, ramp and drain excluded',
    'all requests that started after warm-up, window 20 s to 100 s',
    'the entire middle half',
  ),
});

/** Each is a page of 35 figures through all checks. Always the same ones, so that no test fails by chance; others and more on demand. */
const RUNS = Number(process.env.TARE_CLAIM_RUNS ?? 1600);
const SEED = Number(process.env.TARE_CLAIM_SEED ?? 1);
const PATIENCE_MS = 60 * RUNS;

const contradictions = (checked: ReturnType<typeof claim>): string[] =>
  ARITHMETIC_CHECKS.flatMap((check) => check.run(checked))
    .filter(({ state }) => state === 'contradicts')
    .map(({ title, finding, working }) => `${title}: ${finding} [${working.join('; ')}]`);

describe('a page that prints what took place', () => {
  it(
    'is not contradicted by any check',
    () => {
      fc.assert(
        fc.property(OPTIONS, (options) => {
          const { row, measurement } = trueRun('a', 'one', options);
          expect(contradictions(claim({ rows: [row], measurement }))).toEqual([]);
        }),
        { seed: SEED, numRuns: RUNS },
      );
    },
    PATIENCE_MS,
  );

  it(
    'is not contradicted where only some of its figures are printed',
    () => {
      fc.assert(
        fc.property(OPTIONS, fc.infiniteStream(fc.boolean()), (options, keep) => {
          const { row, measurement } = trueRun('a', 'one', options);
          const figures = Object.fromEntries(
            Object.entries(row.figures ?? {}).filter(() => keep.next().value),
          );
          expect(contradictions(claim({ rows: [{ ...row, figures }], measurement }))).toEqual([]);
        }),
        { seed: SEED, numRuns: RUNS / 2 },
      );
    },
    PATIENCE_MS,
  );

  it(
    'is not contradicted in the ratios of two systems',
    () => {
      fc.assert(
        fc.property(
          OPTIONS,
          fc.integer({ min: 1, max: 1e9 }),
          fc.integer({ min: 0, max: 3 }),
          (options, seed, places) => {
            const [a, b] = [trueRun('a', 'one', options), trueRun('b', 'two', { ...options, seed })];
            const keys = ['ttft_p90', 'e2e_p99', 'output_throughput'].filter(
              (key) => (a.values[key] ?? 0) > 0 && (b.values[key] ?? 0) > 0,
            );
            const headlines = keys.map((key) => {
              const text = print(a.values[key]! / b.values[key]!, { digits: places, cut: options.cut });
              return headline(key, `${text}x`, `a.${key}`, `b.${key}`, { bound: 'exactly' });
            });
            const { measurement } = a;
            expect(contradictions(claim({ rows: [a.row, b.row], headlines, measurement }))).toEqual([]);
          },
        ),
        { seed: SEED, numRuns: RUNS / 4 },
      );
    },
    PATIENCE_MS,
  );
});
