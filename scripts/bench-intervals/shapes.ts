/** What coverage is measured on: repetitions of a figure, and the requests of a trial, whose true figures are known. */
import { quantileSorted } from '../../src/measure/quantile.ts';
import { exponential, normal, type Uniform, uniform } from '../../src/measure/random.ts';

/** A figure over repetitions, of mean `mean`. */
export interface Repetitions {
  readonly name: string;
  readonly mean: number;
  readonly draw: (u: Uniform) => number;
}

const lognormal = (cv: number): Repetitions => {
  const s2 = Math.log(1 + cv * cv);
  return { name: `lognormal, CV ${cv}`, mean: 1, draw: (u) => Math.exp(Math.sqrt(s2) * normal(u) - s2 / 2) };
};

export const REPETITIONS: readonly Repetitions[] = [
  { name: 'normal', mean: 1, draw: (u) => 1 + 0.3 * normal(u) },
  lognormal(0.5),
  lognormal(1),
  {
    name: 'one in ten disturbed',
    mean: 1.2,
    draw: (u) => (u() < 0.1 ? 3 : 1) + 0.1 * normal(u),
  },
];

export const PS = [0.5, 0.9, 0.99] as const;
export const FIGURES = ['mean', 'p50', 'p90', 'p99'] as const;

/** Requests of a trial in order of time, with their true mean, p50, p90 and p99. */
export interface Process {
  readonly name: string;
  readonly draw: (u: Uniform, n: number) => Float64Array;
  readonly truth: (n: number) => readonly number[];
}

const NORMAL_QUANTILES = [0, 1.2815515655446004, 2.3263478740408408];

const autoregressive = (name: string, phi: number): Process => ({
  name,
  truth: () => [0, ...NORMAL_QUANTILES],
  draw: (u, n) => {
    const c = Math.sqrt(1 - phi * phi);
    let value = normal(u);
    return Float64Array.from({ length: n }, () => {
      const now = value;
      value = phi * value + c * normal(u);
      return now;
    });
  },
});

/** Waits in an M/M/1 queue in its steady state: P(W > w) = ρ·e^(−(1−ρ)w), service of mean 1 (Lindley's recursion). */
const queue = (rho: number): Process => {
  const quantile = (p: number) => (p <= 1 - rho ? 0 : -Math.log((1 - p) / rho) / (1 - rho));
  return {
    name: `M/M/1 waits, ρ = ${rho}`,
    truth: () => [rho / (1 - rho), ...PS.map(quantile)],
    draw: (u, n) => {
      let wait = u() < rho ? exponential(u) / (1 - rho) : 0;
      return Float64Array.from({ length: n }, () => {
        const now = wait;
        wait = Math.max(0, wait + exponential(u) - exponential(u) / rho);
        return now;
      });
    },
  };
};

/** Expected figures of a trial of n requests where no formula gives them: means over many trials. */
function simulated(draw: Process['draw'], trials: number): Process['truth'] {
  const known = new Map<number, readonly number[]>();
  return (n) => {
    const found = known.get(n);
    if (found !== undefined) return found;
    const u = uniform(77, n);
    const sums = [0, 0, 0, 0];
    for (let k = 0; k < trials; k++) {
      const values = draw(u, n).sort();
      sums[0]! += values.reduce((a, b) => a + b) / n;
      for (const [i, p] of PS.entries()) sums[i + 1]! += quantileSorted(values, p);
    }
    const truth = sums.map((sum) => sum / trials);
    known.set(n, truth);
    return truth;
  };
}

/** An event loop that is asked for 1.2 times what it can do: waits grow all along, and its figures are those of a trial of that length. */
const overloaded: Process['draw'] = (u, n) => {
  let wait = 0;
  return Float64Array.from({ length: n }, () => {
    const now = wait;
    wait = Math.max(0, wait + exponential(u) - exponential(u) / 1.2);
    return now;
  });
};

const independent = (name: string, draw: (u: Uniform) => number, truth: readonly number[]): Process => ({
  name,
  truth: () => truth,
  draw: (u, n) => Float64Array.from({ length: n }, () => draw(u)),
});

export const PROCESSES: readonly Process[] = [
  independent('independent, normal', normal, [0, ...NORMAL_QUANTILES]),
  independent('independent, exponential', exponential, [1, ...PS.map((p) => -Math.log(1 - p))]),
  independent('independent, lognormal σ = 1', (u) => Math.exp(normal(u)), [
    Math.exp(0.5),
    ...NORMAL_QUANTILES.map(Math.exp),
  ]),
  autoregressive('AR(1), φ = 0.5', 0.5),
  autoregressive('AR(1), φ = 0.9', 0.9),
  queue(0.6),
  queue(0.8),
  queue(0.9),
  { name: 'overloaded, ρ = 1.2', draw: overloaded, truth: simulated(overloaded, 1500) },
];
