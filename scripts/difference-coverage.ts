/**
 * How often intervals of a difference miss: the table of docs/compare.md on stdout. Seeded: the same table every time; some minutes of one core.
 *
 *   node dist/scripts/difference-coverage.js
 */
import { differenceOf } from '../src/measure/difference.ts';
import { normal, type Uniform, uniform } from '../src/measure/random.ts';

/** Intervals at once, and draws. */
const FAMILIES: readonly (readonly [number, number])[] = [
  [1, 40_000],
  [24, 100_000],
  [240, 100_000],
];
/** Repetitions of A and of B, and how many times as wide A spreads. */
const SIDES: readonly (readonly [number, number, number])[] = [
  [2, 2, 1],
  [3, 3, 1],
  [3, 3, 3],
  [3, 3, 5],
  [5, 5, 1],
  [5, 5, 5],
  [10, 10, 5],
  [3, 10, 1],
  [3, 10, 5],
];
const SKEW = 0.5;
const draw: Readonly<Record<string, (u: Uniform) => number>> = {
  normal: (u) => normal(u),
  // Centred at 0, so that both sides have the same mean whatever their spread.
  lognormal: (u) => Math.exp(SKEW * normal(u)) - Math.exp(SKEW ** 2 / 2),
};

console.log('| repetitions | spread A : B | values | 1 interval | of 24 | of 240 |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [na, nb, spread] of SIDES)
  for (const kind of Object.keys(draw)) {
    const cells = FAMILIES.map(([m, draws]) => {
      const u = uniform(8, na, nb, spread, m);
      let misses = 0;
      for (let i = 0; i < draws; i++) {
        const a = Array.from({ length: na }, () => spread * draw[kind]!(u));
        const b = Array.from({ length: nb }, () => draw[kind]!(u));
        if (differenceOf(a, b, 0, m).state === 'changed') misses++;
      }
      return ((100 * m * misses) / draws).toFixed(1);
    });
    console.log(`| ${na}, ${nb} | ${spread} : 1 | ${kind} | ${cells.join(' | ')} |`);
  }
