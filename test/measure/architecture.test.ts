import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { architectureOf, type ThreadShare, working } from '../../src/measure/architecture.ts';

const threads = (...shares: readonly [pid: number, share: number][]): ThreadShare[] =>
  shares.map(([pid, share]) => ({ pid, share }));

describe('architectureOf', () => {
  it.each([
    ['a Python loop with idle helpers', threads([1, 0.98], [1, 0.001], [1, 0]), 'one', 1, 1],
    ['a loop with a collector beside it', threads([1, 0.8], [1, 0.1], [1, 0.1]), 'one', 1, 1],
    [
      'three loops, a process each, and an idle parent',
      threads([9, 0.02], [1, 0.5], [2, 0.45], [3, 0.4]),
      'equal',
      3,
      3,
    ],
    ['a pool of threads in one process', threads([1, 0.3], [1, 0.3], [1, 0.25], [1, 0.28]), 'equal', 4, 1],
    ['a parent that does most, and workers', threads([1, 0.6], [2, 0.2], [3, 0.2]), 'uneven', 3, 3],
    ['waiting only', threads([1, 0.009], [1, 0.001]), 'idle', 0, 0],
    ['nothing', [], 'idle', 0, 0],
  ] as const)('%s', (_, given, shape, carriers, processes) => {
    expect(architectureOf(given)).toMatchObject({ shape, carriers, carrier_processes: processes });
  });

  it('is the same in any order and at any speed of the machine, as long as threads work', () => {
    const share = fc.double({ min: 0.02, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.record({ pid: fc.integer({ min: 1, max: 4 }), share }), { minLength: 1, maxLength: 12 }),
        (given) => {
          const { shape, carriers, carried_share } = architectureOf(given);
          const slower = given.map((thread) => ({ ...thread, share: thread.share * 0.51 }));
          expect(architectureOf([...given].reverse())).toMatchObject({ shape, carriers });
          expect(architectureOf(slower)).toMatchObject({ shape });
          expect(carried_share).toBeGreaterThan(0);
          expect(carried_share).toBeLessThanOrEqual(1 + 1e-9);
        },
      ),
    );
  });
});

it('counts threads above 1 % of a core, and their processes', () => {
  expect(working(threads([1, 0.5], [1, 0.02], [2, 0.01], [3, 0.3]))).toEqual({ threads: 3, processes: 2 });
  expect(working([])).toEqual({ threads: 0, processes: 0 });
});
