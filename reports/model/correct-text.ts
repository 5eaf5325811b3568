/** What `tare correct` says, for the terminal. Pure. */
import type { CorrectDocument, CorrectedFigure } from '../../src/audit/model/correct-document.ts';
import { ms, percent, plain, rate } from '../format.ts';
import { grouped, oneLine } from '../text.ts';
import { estimate, KIND_LABEL, sentence } from './words.ts';

/** 0.995 as `p99.5`. */
const percentile = (quantile: number): string => `p${Number((100 * quantile).toPrecision(6))}`;

/** `ttft_p99` as `TTFT p99`. */
const named = (figure: string): string => {
  const [metric, statistic] = figure.split('_') as [string, string];
  return `${metric.toUpperCase()} ${statistic}`;
};

/** `9.94 to 9.97`, with as many digits as tell both ends apart; one value where six do not. */
function between(low: number | null, high: number | null): string {
  if (low === null || high === null || ms(low) !== ms(high)) return `${ms(low)} to ${ms(high)}`;
  for (let digits = 3; digits <= 6; digits++) {
    const [a, b] = [low.toPrecision(digits), high.toPrecision(digits)];
    if (a !== b) return `${grouped(a)} to ${grouped(b)}`;
  }
  return ms(low);
}

const NARROWER = ' Other percentiles of the run narrow it (--figure ttft_p95=…), and so may --tail model.';

function figureLine(one: CorrectedFigure, tail: CorrectDocument['tail']): string {
  const name = named(one.figure);
  if (one.state === 'refused')
    return `${name}, reported ${ms(one.reported_ms)} ms: refused. ${sentence(one.reason ?? '')}`;
  const how =
    one.method === 'subtraction'
      ? `the client’s own mean part, ${between(one.client_mean_low_ms, one.client_mean_high_ms)} ms, is taken away`
      : 'bounds: of a quantile nothing may be subtracted';
  const higher =
    one.higher === null
      ? ''
      : ` The server’s ${percentile(one.higher.quantile)} was at least ${ms(one.higher.at_least_ms)} ms.`;
  return `${name}, reported ${ms(one.reported_ms)} ms: the server’s own was ${between(one.low_ms, one.high_ms)} ms (${how}).${higher}${one.method === 'bounds' && one.low_ms === 0 && tail === 'markov' ? NARROWER : ''}`;
}

function modelLine({ model, rate_rps, client, client_version }: CorrectDocument): string {
  const who = `${oneLine(client)} ${oneLine(client_version ?? '')}`.trim();
  if (model === null) return `${who}: no model.`;
  const rho = estimate(model.rho, plain);
  const error = model.held_out_error === null ? 'not known' : `${percent(model.held_out_error)} %`;
  return `${who} at ${rate(rate_rps)}/s: ${KIND_LABEL[model.kind]}, ρ ${rho}; fitted from ${rate(model.fitted_low_rps)}/s to ${rate(model.fitted_high_rps)}/s, held-out error ${error}.`;
}

/** Model, a line a figure, what is assumed, and what it holds for. */
export function correctText(document: CorrectDocument): string {
  const assumptions = [...new Set(document.figures.flatMap((one) => one.assumptions))];
  return [
    modelLine(document),
    ...document.figures.map((one) => figureLine(one, document.tail)),
    ...assumptions.map((one) => `Assumed: ${oneLine(one)}.`),
    ...document.limits.map((one) => `Limit: ${sentence(one)}`),
  ].join('\n');
}
