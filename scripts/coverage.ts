/**
 * How often Tare's intervals hold the truth, beside other methods, and how often its verdicts are wrong: Markdown tables on stdout
 * (docs/intervals.md has them). Seeded: the same tables every time.
 *
 *   node dist/scripts/coverage.js
 */

import { type Interval, skewedInterval, studentInterval } from '../src/measure/intervals.ts';
import { normal, type Uniform, uniform } from '../src/measure/random.ts';
import { betweenCoverage } from './bench-intervals/between.ts';
import { asIndependent, batchQuantiles, blockBootstrap, bootstraps } from './bench-intervals/rivals.ts';
import { FIGURES, PROCESSES, REPETITIONS } from './bench-intervals/shapes.ts';
import type { Tally } from './bench-intervals/tally.ts';
import { verdictShares } from './bench-intervals/verdicts.ts';
import { figuresCoverage, tareWithin, withinCoverage } from './bench-intervals/within.ts';

const percent = (share: number) => (100 * share).toFixed(1);
const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');

function between(): string {
  const sizes = [2, 3, 4, 5, 8, 10, 20];
  const methods: [string, number, ((values: readonly number[], u: Uniform) => Interval | null) | null][] = [
    ['Tare', 6000, null],
    ['Student t', 6000, studentInterval],
    ['percentile bootstrap', 1000, (values, u) => bootstraps(values, u).percentile],
    ['BCa bootstrap', 1000, (values, u) => bootstraps(values, u).BCa],
    ['studentized bootstrap', 1000, (values, u) => bootstraps(values, u).studentized],
  ];
  const rows = REPETITIONS.flatMap((shape) =>
    methods.map(([name, trials, method]) => {
      const u = uniform(5);
      const of = (n: number) =>
        betweenCoverage(shape, n, trials, 1, method === null ? undefined : (values) => method(values, u));
      return [shape.name, name, ...sizes.map((n) => percent(of(n).coverage))];
    }),
  );
  return table(['repetitions are', 'method', ...sizes.map((n) => `n = ${n}`)], rows);
}

/** How much wider the correction for skew makes the interval of normal repetitions: median of 2,000. */
function costOfSkew(): string {
  const sizes = [3, 5, 8, 10, 20];
  const width = ({ low, high }: Interval) => high - low;
  const ratio = (n: number) => {
    const u = uniform(9, n);
    const ratios = Array.from({ length: 2000 }, () => {
      const values = Array.from({ length: n }, () => normal(u));
      return width(skewedInterval(values)!) / width(studentInterval(values)!);
    }).sort((a, b) => a - b);
    return ratios[1000]!.toFixed(2);
  };
  return table(['', ...sizes.map((n) => `n = ${n}`)], [['width / that of Student t', ...sizes.map(ratio)]]);
}

/** `95.2`; where not all trials state an interval `94.1 of 40 %, 2.4 wrong`, the last of all trials; `—` where next to none does. */
function cell(tally: Tally): string {
  if (tally.stated < tally.trials / 50) return '—';
  const share = (100 * tally.stated) / tally.trials;
  return share > 99.5
    ? percent(tally.coverage)
    : `${percent(tally.coverage)} of ${share.toFixed(0)} %, ${percent(tally.wrong)} wrong`;
}

function within(): string {
  const u = uniform(6);
  const methods: [string, (values: Float64Array) => readonly (Interval | null)[], number][] = [
    ['Tare', tareWithin, 2400],
    ['as if independent', asIndependent, 1000],
    ['block bootstrap', (values) => blockBootstrap(values, u), 400],
    ['batch quantiles', batchQuantiles, 500],
  ];
  const rows = PROCESSES.flatMap((process) =>
    [100, 200, 1000, 5000].flatMap((n) =>
      // The others are shown at one size: how they fail is the same at each.
      methods.slice(0, n === 1000 ? methods.length : 1).map(([name, method, trials]) => {
        const tallies = withinCoverage(process, n, n > 2000 ? trials / 3 : trials, 1, method);
        const above = Math.max(...tallies.map((tally) => tally.above / tally.trials));
        return [process.name, n.toLocaleString('en'), name, ...tallies.map(cell), percent(above)];
      }),
    ),
  );
  return table(['requests are', 'requests', 'method', ...FIGURES, 'above the truth, at most'], rows);
}

function figures(): string {
  const rows = PROCESSES.flatMap((added) =>
    ['independent, exponential', 'M/M/1 waits, ρ = 0.6', 'M/M/1 waits, ρ = 0.8'].includes(added.name)
      ? [200, 1000, 5000].map((n) => {
          const tallies = figuresCoverage(added, n, n > 2000 ? 400 : 1500, 1);
          const above = Math.max(...tallies.map((tally) => tally.above / tally.trials));
          return [added.name, n.toLocaleString('en'), ...tallies.map(cell), percent(above)];
        })
      : [],
  );
  return table(['what is added', 'requests', ...FIGURES, 'above the truth, at most'], rows);
}

function verdicts(): string {
  const skewed = (u: Uniform) => (Math.exp(0.472 * normal(u)) - Math.exp(0.472 ** 2 / 2)) / 0.559;
  const rows = [2, 3, 5, 10].flatMap((n) =>
    [0.1, 0.3].flatMap((spread) =>
      [0, 0.5, 1, 1.5, 2, 4].map((bias) => {
        const [plain, tailed] = [normal, skewed].map((draw) => verdictShares(n, bias, spread, draw, 4000, 1));
        return [
          n,
          spread,
          bias,
          ...(['found', 'none above the floor', 'undetermined'] as const).map((v) => percent(plain![v])),
          percent(tailed!.found),
        ];
      }),
    ),
  );
  return table(
    [
      'repetitions',
      'spread between them / floor',
      'true bias / floor',
      'found',
      'none above',
      'undetermined',
      'found, skewed',
    ],
    rows,
  );
}

process.stdout.write(
  `## Between trials\n\n${between()}\n${costOfSkew()}\n## Within a trial\n\n${within()}\n## Within a trial, printed figures\n\n${figures()}\n## Verdicts\n\n${verdicts()}`,
);
