/**
 * How often a gate errs, by simulation: `node dist/scripts/gate-errors.js` prints the table of docs/gate.md. A gate of several figures gets
 * repetition after repetition and is asked after each, as `tare gate` does.
 */
import { judgeLook, lookAt, meanAt } from '../src/measure/gate/looks.ts';
import type { Interval } from '../src/measure/intervals.ts';
import { normal, uniform } from '../src/measure/random.ts';

/** Shape of what repetitions differ by: normal, or lognormal (CV 0.5), whose outliers are all on one side. */
export type Shape = 'normal' | 'skewed';

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

function draw(shape: Shape, u: () => number): number {
  if (shape === 'normal') return normal(u);
  // Mean 0 and standard deviation 1.
  return (Math.exp(LOG_SIGMA * normal(u) - LOG_SIGMA ** 2 / 2) - 1) / 0.5;
}

const within = ({ low, high }: Interval) => low >= -1 && high <= 1;
const beyond = ({ low, high }: Interval) => low > 1 || high < -1;

function look(values: readonly number[], n: number, { looking, figures }: Gates): string {
  if (looking === 'spent') return judgeLook(meanAt(values), lookAt(n), figures, { within, beyond }).state;
  const interval = meanAt(values)(1);
  if (interval === null) return 'undetermined';
  return within(interval) ? 'pass' : beyond(interval) ? 'fail' : 'undetermined';
}

/** One gate: its verdict, and after how many repetitions. */
function gate(of: Gates, u: () => number): { verdict: 'pass' | 'fail' | 'undetermined'; n: number } {
  const values = Array.from({ length: of.figures }, (): number[] => []);
  for (let n = 1; n <= of.most; n++) {
    for (const [i, one] of values.entries())
      one.push((i === 0 ? of.bias[0] : of.bias[1]) + of.spread * draw(of.shape, u));
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

if (import.meta.url === `file://${process.argv[1]}`) process.stdout.write(`${table(10_000)}\n`);
