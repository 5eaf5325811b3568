/**
 * What a server's own figure may have been, given the figure that a client reported and a fit of that client on that machine: an interval, or
 * the reason why there is none.
 *
 * A mean is corrected by subtraction, as means add. A quantile is not: the p99 of a sum is not the sum of p99s, and nothing is known of whether
 * slow answers meet busy loops. It is bounded for every joint distribution (M. Fréchet; as in G. Makarov, Theory Probab. Appl. 26, 1981):
 * delays being ≥ 0 (or, where the fit's base is negative, no less than that), the server's quantile is no greater than the reported one; and if at most a share ε of the requests was delayed by more
 * than d, the server's p-quantile is at least the reported (p − ε)-quantile less d. A lower quantile that was reported is needed for that:
 * without one the lower end is 0, and what can be said is of the server's (p + ε)-quantile (`higher`).
 */
import type { Correction, Quantile, ReportedFigure, Tail } from './correct-types.ts';
import { delayRange, fits, hull, leastDelay, ownRange, type Range } from './delay.ts';
import type { Figure } from './observations.ts';
import { predictInterval, shapeOfValues, valuesOf } from './predict.ts';
import { type DelayBound, markov, mg1Tail } from './tail.ts';
import type { FittedModel, QueueFit } from './types.ts';

/** From this utilization on, small errors of μ are large ones of the wait, and stalls do not drain. */
export const TOO_BUSY = 0.9;
/** A rate this much above the fitted ones is still one of them: arrivals of a stated rate scatter. */
const BEYOND = 1.02;

const refused = (reason: string): Correction => ({ state: 'refused', reason });
const fixed = (value: number): string => String(Number(value.toPrecision(3)));

/** `rateRps`: of the run, all loops together. */
export function correct(
  figure: ReportedFigure,
  fit: QueueFit,
  rateRps: number,
  tail: Tail = 'markov',
): Correction {
  const reason = unknowable(figure, fit, rateRps);
  if (reason !== null) return refused(reason);
  const models = fit.models.filter(({ kind }) => fit.tie || kind === fit.chosen);
  const range = (of: Figure): Range | null => {
    const each = models.map((model) => delayRange(model, of, rateRps, figure.requests));
    return each.some((one) => one === null) ? null : hull(each as Range[]);
  };
  const ranges: Delays = {
    ttft: range('ttft'),
    e2e: range('e2e'),
    own: hullOf(models.map((model) => ownRange(model, rateRps, figure.requests))),
    least: (of) => Math.min(0, ...models.map((model) => leastDelay(model, of) ?? 0)),
    bound: (of, meanMs, leastMs) => boundBy(tail, models, of, rateRps, meanMs, leastMs),
    tailWords:
      tail === 'model' && models.some(({ kind }) => kind !== 'mg1')
        ? `no model’s tail was reckoned with: it is only known of M/G/1, and ${fit.tie ? 'the client may as well be a gated loop' : 'this client is a gated loop'}; bounds are those of any delays with this mean (Markov)`
        : null,
  };
  return figure.statistic === 'mean'
    ? correctMean(figure, ranges)
    : correctQuantile(figure, figure.statistic, ranges);
}

interface Delays {
  readonly ttft: Range | null;
  readonly e2e: Range | null;
  readonly own: Range | null;
  /** What no delay of the figure is below, ms: 0 or negative. */
  readonly least: (of: Figure) => number;
  readonly bound: (of: Figure, meanMs: number, leastMs: number) => DelayBound;
  /** Why the tail that was asked for is not the one that was taken; null where it is. */
  readonly tailWords: string | null;
}

const hullOf = (ranges: readonly (Range | null)[]): Range | null =>
  ranges.length === 0 || ranges.some((one) => one === null) ? null : hull(ranges as Range[]);

/** Why nothing can be said; null where something can. */
function unknowable({ metric, tokens }: ReportedFigure, fit: QueueFit, rateRps: number): string | null {
  if (fit.chosen === null) return fit.why;
  const models = fit.models.filter(({ kind }) => fit.tie || kind === fit.chosen);
  for (const model of models) {
    if (rateRps > model.fittedRps.high * BEYOND)
      return `${fixed(rateRps)}/s is beyond the rates that were measured steadily, up to ${fixed(model.fittedRps.high)}/s`;
    const { high } = predictInterval(model, rateRps).rho;
    if (high === null || high >= TOO_BUSY)
      return `the client's loop may be at a utilization of ${high === null ? 'any height' : high.toFixed(2)} at ${fixed(rateRps)}/s: from ${TOO_BUSY} on its delay is not known well enough to take away`;
    const needed: readonly Figure[] =
      metric === 'ttft' ? ['ttft'] : metric === 'tpot' ? ['ttft', 'e2e'] : ['e2e'];
    const missing = needed.find((of) => !fits(model, of));
    if (missing !== undefined) return `the fit has no ${missing.toUpperCase()} of this client`;
  }
  if (metric === 'tpot' && (tokens === null || tokens < 2))
    return 'TPOT needs the output tokens of a request, two or more';
  if (metric === 'ntpot' && (tokens === null || tokens < 1))
    return 'NTPOT needs the output tokens of a request';
  return null;
}

const SAME_TARGET =
  'the run was on the machine and with the client that were profiled, and tokens came as they did there: together, or as far apart';
const NOT_NEGATIVE =
  'the client delays a figure and never shortens it, so that the server is no slower than reported';
const notBelow = (leastMs: number): string =>
  `the client shortens a figure by ${fixed(-leastMs)} ms at the most, as its fit at no load says`;
const ANY_JOINT = 'nothing is assumed of whether slow answers meet a busy client';

function correctMean({ metric, valueMs, tokens }: ReportedFigure, ranges: Delays): Correction {
  const range = metric === 'ttft' ? ranges.ttft : metric === 'tpot' ? ranges.own : ranges.e2e;
  if (range === null) return refused('the fit does not hold the client’s delay at this rate');
  const divisor = metric === 'tpot' ? tokens! - 1 : metric === 'ntpot' ? tokens! : 1;
  const bias = { low: range.low / divisor, high: range.high / divisor };
  if (valueMs - bias.low < 0)
    return refused(
      `the reported mean, ${fixed(valueMs)} ms, is below the client's own part of it, ${fixed(bias.low)} ms or more: the figure or the profile is of something else`,
    );
  return {
    state: 'interval',
    method: 'subtraction',
    lowMs: Math.max(0, valueMs - bias.high),
    highMs: valueMs - bias.low,
    biasMs: bias,
    higher: null,
    assumptions: divisor === 1 ? [SAME_TARGET] : [SAME_TARGET, `each request had ${tokens} output tokens`],
  };
}

function correctQuantile(figure: ReportedFigure, { quantile }: Quantile, ranges: Delays): Correction {
  const { metric, valueMs, tokens, others = [] } = figure;
  // What lengthens the metric, and for TPOT, a difference, what shortens it.
  const longer = metric === 'ttft' ? ranges.ttft : ranges.e2e;
  const shorter = metric === 'tpot' ? ranges.ttft : null;
  if (longer === null || (metric === 'tpot' && shorter === null))
    return refused('the fit does not hold the client’s delay at this rate');
  if (longer.high <= 0)
    return refused(
      'the client reports less than the truth at low rates: its delay is no lower bound of the difference',
    );
  if (!inOrder([...others, { quantile, valueMs }]))
    return refused('the reported quantiles are not in order: a higher one is smaller than a lower one');
  const divisor = metric === 'tpot' ? tokens! - 1 : metric === 'ntpot' ? tokens! : 1;
  const of = metric === 'ttft' ? 'ttft' : 'e2e';
  const least = ranges.least(of);
  const leastShorter = shorter === null ? 0 : ranges.least('ttft');
  const longest = ranges.bound(of, longer.high, least);
  const by = (share: number) => longest(share) - leastShorter;
  const below = others.filter((other) => other.quantile < quantile);
  const low = Math.max(0, ...below.map((other) => other.valueMs - by(quantile - other.quantile) / divisor));
  let high = valueMs - least / divisor;
  if (shorter !== null) {
    const latest = ranges.bound('ttft', Math.max(0, shorter.high), leastShorter);
    const back = (share: number) => latest(share) - least;
    const above = others.filter((other) => other.quantile > quantile);
    if (above.length === 0)
      return refused(
        'a late first token shortens TPOT, so that a higher quantile of it is needed to bound the server’s from above',
      );
    high = Math.min(...above.map((other) => other.valueMs + back(other.quantile - quantile) / divisor));
  }
  const up = (1 - quantile) / 2;
  const atLeastMs = valueMs - by(up) / divisor;
  return {
    state: 'interval',
    method: 'bounds',
    lowMs: low,
    highMs: high,
    biasMs: { low: longer.low / divisor, high: longer.high / divisor },
    higher: atLeastMs > 0 ? { quantile: quantile + up, atLeastMs } : null,
    assumptions: [
      SAME_TARGET,
      ...(shorter === null ? [least < 0 ? notBelow(least) : NOT_NEGATIVE] : []),
      ANY_JOINT,
      ...(atLeastMs > 0
        ? []
        : [
            `nothing is said of a higher quantile of the server’s: for all that is known a share of ${fixed(up)} of the requests met a delay as long as the reported figure`,
          ]),
      ...(ranges.tailWords === null ? [] : [ranges.tailWords]),
      ...(divisor === 1 ? [] : [`each request had ${tokens} output tokens`]),
    ],
  };
}

/** Quantiles between 0 and 1 whose values do not fall. */
function inOrder(quantiles: readonly (Quantile & { readonly valueMs: number })[]): boolean {
  const sorted = [...quantiles].sort((a, b) => a.quantile - b.quantile);
  return sorted.every(
    (each, i) =>
      each.quantile > 0 && each.quantile < 1 && (i === 0 || each.valueMs >= sorted[i - 1]!.valueMs),
  );
}

/** The tighter of what was asked for and Markov's bound. The model's tail is only known of M/G/1, so that on a tie there is none. */
function boundBy(
  tail: Tail,
  models: readonly FittedModel[],
  of: Figure,
  rateRps: number,
  meanMs: number,
  leastMs: number,
): DelayBound {
  const any = markov(meanMs, leastMs);
  if (tail === 'markov' || models.some(({ kind }) => kind !== 'mg1')) return any;
  const tails = models.flatMap((model) =>
    [valuesOf(model.parameters), ...model.draws].flatMap((values) => {
      const shape = shapeOfValues(values);
      const baseMs = of === 'ttft' ? values.ttftBaseMs : values.e2eBaseMs;
      if (shape.kind !== 'mg1' || baseMs === null) return [];
      return [
        mg1Tail(baseMs, shape.serviceMs, ((rateRps / model.loops) * shape.serviceMs) / 1000, shape.cv2),
      ];
    }),
  );
  return (share) => Math.min(any(share), Math.max(...tails.map((bound) => bound(share))));
}
