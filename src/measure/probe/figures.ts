/** Figures over the requests of a run, by name: what a summary would print of them. Pure. */
import { mean, quantileSorted } from '../quantile.ts';
import { ntpotOf, type Seen, type SeenDone, tpotOf } from './seen.ts';

const METRICS = ['ttft', 'itl', 'tpot', 'ntpot', 'e2e'] as const;
const SUMS = ['mean', 'p50'] as const;

/** `success`, `failures`: shares of all requests, 0 … 1; `tokens`: output tokens of a successful request, mean; the others in ms. */
export type FigureName =
  | 'success'
  | 'failures'
  | 'tokens'
  | `${(typeof METRICS)[number]} ${(typeof SUMS)[number]}`;
export const FIGURE_NAMES: readonly FigureName[] = [
  'success',
  'failures',
  'tokens',
  ...METRICS.flatMap((metric) => SUMS.map((sum) => `${metric} ${sum}` as const)),
];

/** A figure that there is none of is null. */
export type Figures = Readonly<Record<FigureName, number | null>>;

/** The unit of a figure. */
export const unitOf = (name: FigureName): string =>
  name === 'success' || name === 'failures' ? 'share' : name === 'tokens' ? 'tokens' : 'ms';

/** The metric of a figure, as aspects name it. */
export const aspectOf = (name: FigureName): string => (name === 'failures' ? 'success' : name.split(' ')[0]!);

/** A value as often as it counts. */
const repeated = (value: number | null, times = 1): (number | null)[] => new Array(times).fill(value);

const present = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

function sums(values: readonly number[]): { mean: number | null; p50: number | null } {
  if (values.length === 0) return { mean: null, p50: null };
  return { mean: mean(values), p50: quantileSorted(Float64Array.from(values).sort(), 0.5) };
}

/** The figures of requests, each as it was seen. */
export function figuresOf(seen: readonly Seen[]): Figures {
  const done = seen.filter((one): one is SeenDone => one.ok);
  const n = seen.length;
  const successes = done.filter((one) => one.countedFailed !== true).length;
  const values = {
    ttft: present(done.map((one) => one.ttftMs)),
    itl: done.flatMap((one) => one.itlMs),
    tpot: present(done.flatMap((one) => repeated(tpotOf(one), one.tpotTimes))),
    ntpot: present(done.flatMap((one) => repeated(ntpotOf(one), one.ntpotTimes))),
    e2e: done.map((one) => one.e2eMs),
  };
  const table = Object.fromEntries(
    METRICS.flatMap((metric) => {
      const two = sums(values[metric]);
      return SUMS.map((sum) => [`${metric} ${sum}`, two[sum]]);
    }),
  ) as Omit<Figures, 'success' | 'failures' | 'tokens'>;
  return {
    ...table,
    success: n === 0 ? null : successes / n,
    failures: n === 0 ? null : 1 - successes / n,
    tokens: done.length === 0 ? null : mean(done.map((one) => one.tokens)),
  };
}

/** How far a figure may be off before it is another one, below and above. */
export interface Tolerance {
  readonly below: number;
  readonly above: number;
}

/** What a client adds to the base profile in the same surroundings, ms: its own delay and the machine's, which no probe is about. */
export interface Slack {
  readonly ttftMs: number;
  readonly e2eMs: number;
}
export const NO_SLACK: Slack = { ttftMs: 0, e2eMs: 0 };

/**
 * Latencies may be longer by more than they may be shorter, since nothing makes an answer come early. Known faults differ by more than
 * that.
 */
export function toleranceOf(name: FigureName, right: number | null, slack: Slack = NO_SLACK): Tolerance {
  const of = Math.abs(right ?? 0);
  const both = (one: number): Tolerance => ({ below: one, above: one });
  switch (aspectOf(name)) {
    case 'success':
      return both(1e-6);
    case 'tokens':
      return both(0.01);
    case 'ttft':
      return { below: Math.max(12, of * 0.03), above: Math.max(15, of * 0.05) + slack.ttftMs };
    case 'e2e':
      return { below: Math.max(20, of * 0.03), above: Math.max(30, of * 0.05) + slack.e2eMs };
    default:
      return name === 'itl p50' ? both(Math.max(3, of * 0.1)) : both(Math.max(1.5, of * 0.06));
  }
}

/** Whether a figure is as good as the wanted one; never where there should be none. */
export function isNear(
  got: number,
  wanted: number | null,
  name: FigureName,
  slack: Slack = NO_SLACK,
): boolean {
  if (wanted === null) return false;
  const { below, above } = toleranceOf(name, wanted, slack);
  return got >= wanted - below && got <= wanted + above;
}
