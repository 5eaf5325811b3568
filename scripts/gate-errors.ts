/**
 * How often a gate errs, by simulation: `node dist/scripts/gate-errors.js` prints the table of docs/gate.md. A gate of several figures gets
 * repetition after repetition and is asked after each, as `tare gate` does.
 */
import { judgeLook, lookAt, meanAt } from '../src/measure/gate/looks.ts';
import type { Interval } from '../src/measure/intervals.ts';
import { normal, uniform } from '../src/measure/random.ts';

/**
 * Shape of what repetitions differ by: normal; lognormal (CV 0.5), whose outliers are all on one side; lognormal with σ = 1; a stall in one repetition of
 * ten, which is nearly all of the difference; or normal, and printed in steps of a quarter of what is allowed.
 */
export type Shape = 'normal' | 'skewed' | 'very skewed' | 'stalls' | 'rounded';

/** By how `judge` looks: with its share of the error at each look, or as if each look were the only one. */
export type Looking = 'spent' | 'naive';

export interface Gates {
  readonly gates: number;
  readonly seed: number;
  readonly figures: number;
  /** Most repetitions that fit into the budget. */
  readonly most: number;
  /** True bias of the first figure and of the others, in units of what is allowed. */
  readonly bias: readonly [first: number, others: number];
  /** Standard deviation between repetitions, in the same unit. */
  readonly spread: number;
  readonly shape: Shape;
  readonly looking: Looking;
}

export interface Tally {
  readonly pass: number;
  readonly fail: number;
  readonly undetermined: number;
  /** Repetitions that were made, on average. */
  readonly repetitions: number;
}

/** σ of the logarithm where the CV is 0.5. */
const LOG_SIGMA = Math.sqrt(Math.log(1.25));
const STALLED = 0.1;
/** What is seen beside stalls, per their standard deviation. */
const QUIET = 0.1;
/** Step of rounded values, in units of what is allowed. */
const STEP = 0.25;

/** Lognormal, turned to mean 0 and standard deviation 1. */
const lognormal = (sigma: number, u: () => number): number =>
  (Math.exp(sigma * normal(u) - sigma ** 2 / 2) - 1) / Math.sqrt(Math.exp(sigma ** 2) - 1);

/** Mean 0 and standard deviation 1. */
function draw(shape: Shape, u: () => number): number {
  if (shape === 'skewed') return lognormal(LOG_SIGMA, u);
  if (shape === 'very skewed') return lognormal(1, u);
  if (shape !== 'stalls') return normal(u);
  const stall = ((u() < STALLED ? 1 : 0) - STALLED) / Math.sqrt(STALLED * (1 - STALLED));
  return (stall + QUIET * normal(u)) / Math.hypot(1, QUIET);
}

const shown = (shape: Shape, value: number): number =>
  shape === 'rounded' ? STEP * Math.round(value / STEP) : value;

const within = ({ low, high }: Interval) => low >= -1 && high <= 1;
const beyond = ({ low, high }: Interval) => low > 1 || high < -1;

function look(values: readonly number[], n: number, { looking, figures, shape }: Gates): string {
  if (looking === 'spent')
    return judgeLook(meanAt(values, shape === 'rounded' ? STEP : 0), lookAt(n), figures, { within, beyond })
      .state;
  const interval = meanAt(values)(1);
  if (interval === null) return 'undetermined';
  return within(interval) ? 'pass' : beyond(interval) ? 'fail' : 'undetermined';
}

/** One gate: its verdict, and after how many repetitions. */
function gate(of: Gates, u: () => number): { verdict: 'pass' | 'fail' | 'undetermined'; n: number } {
  const values = Array.from({ length: of.figures }, (): number[] => []);
  for (let n = 1; n <= of.most; n++) {
    for (const [i, one] of values.entries())
      one.push(shown(of.shape, (i === 0 ? of.bias[0] : of.bias[1]) + of.spread * draw(of.shape, u)));
    const states = values.map((one) => look(one, n, of));
    if (states.includes('fail')) return { verdict: 'fail', n };
    if (states.every((state) => state === 'pass')) return { verdict: 'pass', n };
  }
  return { verdict: 'undetermined', n: of.most };
}

/** Shares of many gates. */
export function simulateGates(of: Gates): Tally {
  const u = uniform(of.seed, 0x6a7e, of.figures);
  const tally = { pass: 0, fail: 0, undetermined: 0 };
  let repetitions = 0;
  for (let i = 0; i < of.gates; i++) {
    const { verdict, n } = gate(of, u);
    tally[verdict]++;
    repetitions += n;
  }
  return {
    pass: tally.pass / of.gates,
    fail: tally.fail / of.gates,
    undetermined: tally.undetermined / of.gates,
    repetitions: repetitions / of.gates,
  };
}

const CASES: readonly { name: string; bias: readonly [number, number]; spread: number }[] = [
  { name: 'all at 0.3 of what is allowed', bias: [0.3, 0.3], spread: 0.05 },
  { name: 'all at 0.3, noisy', bias: [0.3, 0.3], spread: 0.2 },
  { name: 'all at the limit, just within (a fail is wrong)', bias: [1, 1], spread: 0.2 },
  { name: 'one at the limit, just beyond (a pass is wrong)', bias: [1, 0], spread: 0.2 },
  { name: 'one at 1.5', bias: [1.5, 0], spread: 0.05 },
  { name: 'one at 1.5, noisy', bias: [1.5, 0], spread: 0.2 },
  { name: 'one at 5, noisy', bias: [5, 0], spread: 0.5 },
];

const percent = (share: number): string => (100 * share).toFixed(1);

/** The table, as Markdown. */
export function table(gates: number): string {
  const rows = CASES.flatMap(({ name, bias, spread }) =>
    (['normal', 'skewed'] as const).flatMap((shape) =>
      (['spent', 'naive'] as const).map((looking) => {
        const of = { gates, seed: 1, figures: 4, most: 8, bias, spread, shape, looking };
        const { pass, fail, undetermined, repetitions } = simulateGates(of);
        const how = looking === 'spent' ? 'as `tare gate`' : '95 % at each look';
        return `| ${name} | ${spread} | ${shape} | ${how} | ${[pass, fail, undetermined].map(percent).join(' | ')} | ${repetitions.toFixed(1)} |`;
      }),
    ),
  );
  return [
    '| true bias / allowed | spread / allowed | repetitions differ | looked at | pass % | fail % | undetermined % | repetitions |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const HARD: readonly Shape[] = ['normal', 'skewed', 'very skewed', 'stalls', 'rounded'];

/** How often a gate errs at the limit, by the shape of what repetitions differ by, as Markdown: a pass at the limit and a fail at it are both wrong. */
export function shapeTable(gates: number): string {
  const rows = HARD.flatMap((shape) =>
    [0.05, 0.2].map((spread) => {
      const of = { gates, seed: 1, figures: 4, most: 8, spread, shape, looking: 'spent' as const };
      const above = simulateGates({ ...of, bias: [1.001, 0] }).pass;
      const below = simulateGates({ ...of, bias: [0.999, 0] }).fail;
      const clear = simulateGates({ ...of, bias: [1 + 2 * spread, 0] }).pass;
      return `| ${shape} | ${spread} | ${[above, clear, below].map(percent).join(' | ')} |`;
    }),
  );
  return [
    '| repetitions differ | spread / allowed | passes just beyond the limit % | passes two spreads beyond % | fails just within % |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

if (import.meta.url === `file://${process.argv[1]}`)
  process.stdout.write(`${table(10_000)}\n\n${shapeTable(10_000)}\n`);
