/** Charts of a profile: CPU time of a request against its tokens with the fitted lines, and what a request is made of, layer by layer. */
import type { ClientProfile, LayerResult } from '../../src/audit/profile/document.ts';
import type { Json, View } from '../charts/chart.ts';
import { COLORS } from '../charts/palette.ts';
import { layerWords } from './words.ts';

const WIDTH = 620;

const measured = ({ layers }: ClientProfile): LayerResult[] =>
  layers.filter(({ state }) => state === 'measured');
const lineOf = (layer: LayerResult) => (layer.busiest ?? layer.group)!;
const us = (layer: LayerResult, point: LayerResult['points'][number]): number =>
  layer.busiest === null ? point.cost!.group_us : point.cost!.busiest_us;

const colours = (layers: readonly LayerResult[]): Json => ({
  domain: layers.map(layerWords),
  range: layers.map((_, i) => COLORS[i % COLORS.length]!),
});

/** Dots: runs with a small prompt; lines: the fit at that prompt. Both axes are logarithmic. null where nothing was measured. */
export function tokensChart(client: ClientProfile): View | null {
  const layers = measured(client);
  if (layers.length === 0) return null;
  const dots = layers.flatMap((layer) => {
    const usual = layer.points.filter(
      ({ purpose, cost, why }) => purpose === 'usual' && cost !== null && why === null,
    );
    const least = Math.min(...usual.map(({ prompt_tokens }) => prompt_tokens));
    return usual
      .filter(({ prompt_tokens }) => prompt_tokens === least)
      .map((point) => ({
        layer: layerWords(layer),
        tokens: point.cost!.delivered_tokens,
        us: us(layer, point),
      }));
  });
  const lines = layers.flatMap((layer) => {
    const line = lineOf(layer);
    const bytes = layer.good_to[0]?.prompt_bytes ?? 0;
    const own = dots.filter((dot) => dot.layer === layerWords(layer)).map(({ tokens }) => tokens);
    const [least, most] = [Math.min(...own), Math.max(...own)];
    const steps = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
    const at = (tokens: number, part: string) => ({
      layer: layerWords(layer),
      part,
      tokens,
      us: line.request.us + (line.token?.us ?? 0) * tokens + (line.prompt_byte?.us ?? 0) * bytes,
    });
    const within = steps.filter((tokens) => tokens > least && tokens < most);
    return [
      ...[least, ...within, most].map((tokens) => at(tokens, 'run')),
      ...[...steps.filter((tokens) => tokens < least), least].map((tokens) => at(tokens, 'below')),
      ...[most, ...steps.filter((tokens) => tokens > most)].map((tokens) => at(tokens, 'beyond')),
    ];
  });
  const drawn = lines.filter((one) => one.us > 0);
  const isRun = ({ part }: { readonly part: string }): boolean => part === 'run';
  const x = {
    field: 'tokens',
    type: 'quantitative',
    scale: { type: 'log', base: 2 },
    title: 'tokens of the answer',
  };
  const y = {
    field: 'us',
    type: 'quantitative',
    scale: { type: 'log' },
    title: 'CPU time a request, µs',
    axis: { format: ',.3~r' },
  };
  const color = {
    field: 'layer',
    type: 'nominal',
    scale: colours(layers),
    legend: { title: null, orient: 'bottom', columns: 2, labelLimit: 400 },
  };
  return {
    width: WIDTH,
    height: 320,
    layer: [
      {
        data: { values: drawn.filter(isRun) },
        mark: { type: 'line', strokeWidth: 2, clip: true },
        encoding: { x, y, color },
      },
      {
        // Beyond what was run the fit is a guess.
        data: { values: drawn.filter((one) => !isRun(one)) },
        mark: { type: 'line', strokeWidth: 2, strokeDash: [4, 4], clip: true },
        encoding: { x, y, color, detail: { field: 'part', type: 'nominal' } },
      },
      { data: { values: dots }, mark: { type: 'point', filled: true, size: 45 }, encoding: { x, y, color } },
    ],
  };
}

const PARTS = ['the request', '128 tokens', '16 KB of prompt'] as const;

/** Stacked: what a request of 128 tokens and 16 KB costs, by its parts. Parts below 0 are not drawn; the table has them. */
export function partsChart(client: ClientProfile): View | null {
  const layers = measured(client);
  if (layers.length === 0) return null;
  const values = layers.flatMap((layer) => {
    const { request, token, prompt_byte } = lineOf(layer);
    const parts = [request.us, 128 * (token?.us ?? 0), 16_384 * (prompt_byte?.us ?? 0)];
    return parts.map((part, i) => ({
      layer: layerWords(layer),
      part: PARTS[i]!,
      order: i,
      us: Math.max(0, part),
    }));
  });
  return {
    width: WIDTH - 200,
    height: { step: 34 },
    data: { values },
    mark: { type: 'bar', height: 22 },
    encoding: {
      y: {
        field: 'layer',
        type: 'nominal',
        sort: layers.map(layerWords),
        title: null,
        axis: { labelLimit: 260 },
      },
      x: {
        field: 'us',
        type: 'quantitative',
        title: 'CPU time, µs',
        stack: 'zero',
        axis: { format: ',.3~r' },
      },
      color: {
        field: 'part',
        type: 'nominal',
        scale: { domain: [...PARTS], range: [COLORS[0], COLORS[1], COLORS[2]] },
        legend: { title: null, orient: 'bottom' },
      },
      order: { field: 'order', type: 'quantitative' },
    },
  };
}
