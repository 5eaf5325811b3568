/** A client's queue by its curve of bias against rate: both models fitted, compared on rates that they have not seen, one chosen or none. */
import { chanceOfAdvantage } from './advantage.ts';
import { capacityOfAll } from './capacity.ts';
import { BY_CHANCE, choose } from './choose.ts';
import { agreement, cpuRates } from './cpu.ts';
import { fitModel } from './fit-model.ts';
import { RATES_FOR_HELD_OUT } from './held-out.ts';
import type { Split } from './loops.ts';
import { notesOf } from './notes.ts';
import { distinctRates, steady } from './observations.ts';
import type { CurvePoint, QueueFit } from './types.ts';

export interface FitOptions {
  /** Event loops that share the arrivals. */
  readonly loops: number;
  readonly seed: number;
  /** How the loops share them; by chance if not stated. */
  readonly split?: Split;
  /** Rates that are predicted and not fitted, requests/s, each to a part in 20; else each rate is left out in turn. */
  readonly holdOut?: readonly number[];
  /** Bootstrap fits; 200 if not stated. */
  readonly resamples?: number;
}

/** A rate that was asked for and the rate that a target saw are the same up to this part. */
const SAME_RATE = 0.05;

export function fitQueue(
  points: readonly CurvePoint[],
  { loops, seed, split = 'random', holdOut = [], resamples = 200 }: FitOptions,
): QueueFit {
  const usable = steady(points);
  const heldOut = usable
    .map(({ rateRps }) => rateRps)
    .filter((rate) => holdOut.some((asked) => Math.abs(rate / asked - 1) <= SAME_RATE));
  const fitted = usable.filter(({ rateRps }) => !heldOut.includes(rateRps));
  const rates = distinctRates(usable).length;
  const models =
    rates < RATES_FOR_HELD_OUT || distinctRates(fitted).length < RATES_FOR_HELD_OUT - 1
      ? []
      : (['mg1', 'gated'] as const).map((kind) =>
          fitModel(kind, usable, { loops, split, seed, resamples, holdOut: heldOut }),
        );
  const options = { loops, split, seed, holdOut: heldOut };
  const choice = choose(models, rates, (found) => chanceOfAdvantage(found, usable, options, BY_CHANCE));
  const shown = models.find(({ kind }) => kind === choice.chosen) ?? null;
  return {
    ...choice,
    models,
    capacityRps:
      shown === null
        ? null
        : capacityOfAll([shown, ...models.filter((model) => choice.tie && model !== shown)]),
    cpuMuRps: cpuRates(usable),
    agreement: agreement(shown, usable),
    notes: notesOf(points, fitted, models, loops),
  };
}
