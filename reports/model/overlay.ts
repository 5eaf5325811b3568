/** Fitted models over the points of a bias chart: a thin dashed line a client, named where there is room. Means only: models tell no quantile. */
import type { AuditDocument } from '../../src/audit/document.ts';
import type { FittedClient } from '../../src/audit/model/client-model.ts';
import { type QueueTools, queueTools } from '../../src/audit/model/tools.ts';
import type { Metric, Statistic } from '../../src/measure/metrics.ts';
import type { View } from '../charts/chart.ts';
import { type Axes, placeOf, type Series } from '../charts/lines.ts';
import { INK, PAPER } from '../charts/palette.ts';
import { oneLine, shorten } from '../text.ts';
import { explainedClients } from './fitted.ts';
import { chosenModel, heldOutWords, KIND_LABEL, muWords } from './words.ts';

/** Points of a curve: enough that it bends smoothly where it rises. */
const STEPS = 72;
const LEGEND_LINE = 15;
const LEGEND_SIZE = 10.5;
const NAME_LENGTH = 24;

/** Which figures a model has a curve for. */
export const isModelled = (metric: Metric, statistic: Statistic): metric is 'ttft' | 'e2e' =>
  statistic === 'mean' && (metric === 'ttft' || metric === 'e2e');

export interface Curve {
  readonly client: string;
  readonly points: readonly { readonly rate_rps: number; readonly value: number }[];
  /** `M/G/1, μ 1,040/s a loop, held-out error 4 %`. */
  readonly words: string;
}

/** As many digits as a curve shows: the file holds each of its points. */
const brief = (value: number): number => Number(value.toPrecision(5));

/** Rates from the lowest fitted one to `highest`, evenly on a log scale. */
const grid = (lowest: number, highest: number): number[] =>
  Array.from({ length: STEPS + 1 }, (_, i) => brief(lowest * (highest / lowest) ** (i / STEPS)));

function curveOf(
  { model, chosen, pieces, curve }: FittedClient,
  metric: 'ttft' | 'e2e',
  within: readonly [number, number],
  tools: QueueTools,
): Curve | null {
  const one = chosenModel(model);
  if (one === null || chosen === null || curve.length === 0) return null;
  const rates = grid(curve[0]!.askedRps, curve.at(-1)!.askedRps);
  const points = rates.flatMap((rate_rps) => {
    const said = tools.predict(chosen, rate_rps * pieces);
    const value = metric === 'ttft' ? said.ttftBiasMs : said.e2eBiasMs;
    // A clip path would need an id, and many charts share one page.
    return value === null || value < within[0] || value > within[1]
      ? []
      : [{ rate_rps, value: brief(value) }];
  });
  if (points.length < 2) return null;
  return {
    client: model.client,
    points,
    words: `${KIND_LABEL[one.kind]}, ${muWords(one)}, held-out error ${heldOutWords(one)}`,
  };
}

/** The curves of a chart that lie within its value axis; none where the figure is no mean that a model tells. */
export function curvesOf(
  document: AuditDocument,
  metric: Metric,
  statistic: Statistic,
  within: readonly [number, number],
  tools: QueueTools = queueTools,
): readonly Curve[] {
  if (!isModelled(metric, statistic)) return [];
  return explainedClients(document)
    .map((fitted) => curveOf(fitted, metric, within, tools))
    .filter((curve) => curve !== null);
}

/** Lines, to lie under the points, and the legend at the upper left, where a bias that rises with the rate leaves room. */
export function overlayLayers(
  curves: readonly Curve[],
  series: readonly Series[],
  axes: Axes,
): { readonly lines: readonly View[]; readonly legend: readonly View[] } {
  const drawn = curves.flatMap((curve) => {
    const index = series.findIndex(({ client }) => client === curve.client);
    return index < 0 ? [] : [{ curve, index, color: series[index]!.color }];
  });
  const at = (field: string) => ({ field, type: 'quantitative', scale: null, axis: null });
  return {
    lines: drawn.map(({ curve, index, color }) => ({
      data: {
        values: curve.points.map(({ rate_rps, value }) => ({
          model_of: curve.client,
          x_rps: brief(placeOf(rate_rps, index, series.length, axes)),
          value,
        })),
      },
      mark: { type: 'line', color, strokeWidth: 1, strokeDash: [5, 3], opacity: 0.9 },
      encoding: { x: axes.x.encoding, y: { ...axes.y.encoding, field: 'value' } },
    })),
    legend: drawn.flatMap(({ curve, color }, row): View[] => {
      const text = `${shorten(oneLine(curve.client), NAME_LENGTH)}: ${curve.words}`;
      const data = { values: [{ text, x: 8, x2: 30, x_text: 36, y: 10 + row * LEGEND_LINE }] };
      const mark = { type: 'text', align: 'left', baseline: 'middle', fontSize: LEGEND_SIZE };
      const encoding = { x: at('x_text'), y: at('y'), text: { field: 'text', type: 'nominal' } };
      return [
        {
          data,
          mark: { type: 'rule', color, strokeWidth: 1, strokeDash: [5, 3] },
          encoding: { x: at('x'), x2: { field: 'x2' }, y: at('y') },
        },
        {
          data,
          mark: { ...mark, color: PAPER, stroke: PAPER, strokeWidth: 3, strokeJoin: 'round', opacity: 0.75 },
          encoding,
        },
        { data, mark: { ...mark, color: INK }, encoding },
      ];
    }),
  };
}

/** For the explanation under the title. */
export const overlayWords = (curves: readonly Curve[]): string =>
  curves.length === 0
    ? ''
    : ' Dashed: the queue model that was fitted to the client’s means at rates below saturation; it has no curve beyond its capacity.';

/** For those who cannot see it. */
export const overlayAlternative = (curves: readonly Curve[]): string =>
  curves.map(({ client, words }) => ` Model of ${oneLine(client)}: ${words}.`).join('');
