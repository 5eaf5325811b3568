/**
 * How often a change is found: the table of docs/compare.md on stdout. Seeded: the same table every time; half a minute of one core.
 *
 *   node dist/scripts/difference-power.js
 */
import { differenceOf } from '../src/measure/difference.ts';
import { normal, uniform } from '../src/measure/random.ts';
import { stepDown } from '../src/measure/step-down.ts';

const DRAWS = 1000;
const SHIFT_MS = 3;
const STEP_MS = 0.001;

/** Figures judged at once; how many of them moved. */
const FAMILIES: readonly (readonly [number, number])[] = [
  [4, 1],
  [16, 1],
  [16, 4],
  [64, 1],
  [240, 1],
];
/** Spread between repetitions and floor, ms. */
const CASES: readonly (readonly [number, number])[] = [
  [0.2, 0.7],
  [0.5, 0.7],
];

/** Share in which the first figure, moved by 3 ms, is found, %. */
function found(n: number, [m, moved]: readonly [number, number], sd: number, floor: number): number {
  const u = uniform(3, n, m, moved);
  const side = (shift: number) => Array.from({ length: n }, () => shift + sd * normal(u));
  let count = 0;
  for (let i = 0; i < DRAWS; i++) {
    const changes = Array.from({ length: m }, (_, k) => {
      const [a, b] = [side(0), side(k < moved ? SHIFT_MS : 0)];
      return (comparisons: number) => differenceOf(a, b, floor, comparisons, STEP_MS).state === 'changed';
    });
    if (changes[0]!(stepDown(changes)[0]!)) count++;
  }
  return (100 * count) / DRAWS;
}

const heads = FAMILIES.map(([m, moved]) => `${moved} of ${m} moved`);
console.log(`| repetitions | spread, ms | floor, ms | ${heads.join(' | ')} |`);
console.log(`| --- | --- | --- | ${heads.map(() => '---').join(' | ')} |`);
for (const [sd, floor] of CASES)
  for (const n of [3, 5]) {
    const cells = FAMILIES.map((family) => found(n, family, sd, floor).toFixed(0));
    console.log(`| ${n}, ${n} | ${sd} | ${floor} | ${cells.join(' | ')} |`);
  }
