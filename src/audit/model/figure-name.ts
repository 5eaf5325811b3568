/** Names of reported figures, as `ttft_p99=35ms`. Pure. */
import type { ReportedFigure } from '../../measure/queue/correct-types.ts';

/** A figure that a client reported. */
export interface NamedFigure {
  /** As given: `ttft_p99`. */
  readonly name: string;
  readonly metric: ReportedFigure['metric'];
  readonly statistic: ReportedFigure['statistic'];
  readonly valueMs: number;
}

const UNITS_MS: Readonly<Record<string, number>> = { us: 0.001, µs: 0.001, ms: 1, s: 1000 };

/** What is accepted, for messages. */
export const FIGURE_FORMS =
  'ttft, e2e, tpot or ntpot, then _mean or _p50, _p99, _p99.9 …, then = and a time: ttft_p99=35ms';

/** Parses `METRIC_STATISTIC=TIME`; throws an Error that says what is accepted. */
export function parseFigure(text: string): NamedFigure {
  const match = /^(ttft|e2e|tpot|ntpot)_(?:(mean)|p(\d{1,2}(?:\.\d+)?))=(\d+(?:\.\d+)?)(us|µs|ms|s)$/.exec(
    text.trim(),
  );
  if (match === null) throw new Error(`"${text}" is not a figure: ${FIGURE_FORMS}`);
  const [, metric, mean, percent, value, unit] = match;
  const quantile = Number(percent) / 100;
  if (mean === undefined && !(quantile > 0 && quantile < 1))
    throw new Error(`"${text}" is not a figure: a percentile lies between 0 and 100`);
  return {
    name: text.trim().split('=')[0]!,
    metric: metric as NamedFigure['metric'],
    statistic: mean === 'mean' ? 'mean' : { quantile },
    valueMs: Number(value) * UNITS_MS[unit!]!,
  };
}

const sameFigure = (a: NamedFigure, b: NamedFigure): boolean =>
  a.metric === b.metric &&
  (a.statistic === 'mean' || b.statistic === 'mean'
    ? a.statistic === b.statistic
    : Math.abs(a.statistic.quantile - b.statistic.quantile) < 1e-9);

/** Those with one more; once where it is there already. Throws an Error where it is there with another value. */
export function withFigure(all: readonly NamedFigure[], one: NamedFigure): readonly NamedFigure[] {
  const before = all.find((other) => sameFigure(other, one));
  if (before === undefined) return [...all, one];
  if (before.valueMs === one.valueMs) return all;
  throw new Error(
    `${one.name} is given twice, with ${before.valueMs} and ${one.valueMs} ms: a run has one value of a figure`,
  );
}
