/** Searches of simulated clients: what a trial at a rate says is a function, with seeded noise. */
import { type Bracket, bracketOf } from '../../../src/measure/envelope/bracket.ts';
import type { TrialVerdict } from '../../../src/measure/envelope/judge.ts';
import { nextStep, rampFor, type SearchConfig } from '../../../src/measure/envelope/search.ts';
import type { Try } from '../../../src/measure/envelope/tally.ts';
import { uniform } from '../../../src/measure/random.ts';

export const CONFIG: SearchConfig = { from_rps: 25, to_rps: 5000, ramp: 2, ratio: 1.15, confirm: 2 };

export interface Searched {
  readonly tries: readonly Try[];
  readonly bracket: Bracket;
  readonly rates: readonly number[];
}

/** Runs a search to its end; throws where it goes on beyond its budget. */
export function search(
  client: (rate: number, nth: number) => TrialVerdict,
  { budget = 40, config = CONFIG, noise = 0.1 } = {},
): Searched {
  const tries: Try[] = [];
  for (;;) {
    const step = nextStep(config, tries, budget - tries.length);
    if (step.kind === 'done')
      return {
        tries,
        bracket: bracketOf(config, tries, step.why, noise),
        rates: tries.map(({ rate_rps }) => rate_rps),
      };
    if (tries.length >= budget) throw new Error('it goes on beyond its budget');
    const nth = tries.filter(({ rate_rps }) => rate_rps === step.rate_rps).length;
    tries.push({ rate_rps: step.rate_rps, purpose: step.purpose, verdict: client(step.rate_rps, nth) });
  }
}

/** Holds up to its limit and fails beyond, without noise. */
export const upTo =
  (limit: number) =>
  (rate: number): TrialVerdict =>
    rate <= limit ? 'holds' : 'fails';

/** The same, where a trial is wrong with probability `noise` and tells nothing with probability `silent`. */
export function noisy(limit: number, noise: number, seed: number, silent = 0) {
  const u = uniform(seed, 0x5ea4);
  return (rate: number): TrialVerdict => {
    if (u() < silent) return 'undetermined';
    return u() < noise !== rate <= limit ? 'holds' : 'fails';
  };
}

/** Limits as the confidence takes them to lie: log-uniform, from one ramp step below the search to one above. */
export function drawnLimit(seed: number, { from_rps, to_rps, ramp }: SearchConfig): number {
  const low = from_rps / ramp;
  return low * Math.exp(uniform(seed, 0x11a1)() * Math.log((to_rps * ramp) / low));
}

export const withRamp = (budget: number, confirm: number): SearchConfig => {
  const config = { ...CONFIG, confirm };
  return { ...config, ramp: rampFor(config, budget) };
};
