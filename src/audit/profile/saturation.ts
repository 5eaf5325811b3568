/** More load than a client can do: the rate that it then reaches, by the ledger, beside what its costs say. */
import { cellOf, PROMPT_WORDS } from '../../measure/profile/design.ts';
import { DIRECT_ROOM } from '../../measure/profile/rate.ts';
import type { LayerResult, ProfilePoint, SaturationCheck, Unit } from './document.ts';
import { type PlannedLayer, TOKEN_BY_TOKEN } from './layers.ts';
import type { Measure, ProfileContext, ProfiledClient } from './run.ts';
import { boundUs } from './summary.ts';

/** How much more than it can do is asked of it. */
const OVER = 1.7;
/** Of such a run. */
export const SECONDS = 4;
/** More tokens would sooner be too many for the target than for the client. */
const CHECK_TOKENS = 16;

/** The rate to ask for, or why there is no use in it. */
export function saturationRate(
  layer: Pick<LayerResult, 'busiest' | 'group'>,
  cores: number,
): { rps: number; predicted: number } | { why: string } {
  const at = (line: LayerResult['group']): number | null =>
    line === null ? null : line.request.us + (line.token?.us ?? 0) * CHECK_TOKENS;
  const [one, all] = [at(layer.busiest), at(layer.group)];
  if (all === null) return { why: 'tokens one by one were not measured' };
  const us = Math.max(one ?? 0, all / cores);
  if (us <= 0) return { why: 'the line gives no cost above 0' };
  const predicted = 1e6 / us;
  const most = Math.min(DIRECT_ROOM.requestsPerS, DIRECT_ROOM.writesPerS / CHECK_TOKENS);
  if (predicted * 1.2 > most)
    return {
      why: `by its costs it can do about ${predicted.toFixed(0)}/s, and the target not much more than ${most.toFixed(0)}/s`,
    };
  return { rps: Math.round(Math.min(OVER * predicted, most)), predicted };
}

/** Runs it once. Only for clients that send by a schedule: others slow down instead. */
export async function checkSaturation(
  client: ProfiledClient,
  layer: PlannedLayer,
  result: LayerResult,
  unit: Unit,
  cores: number,
  order: number,
  context: ProfileContext,
  onPoint: (point: ProfilePoint) => void,
  measure: Measure,
): Promise<SaturationCheck | { readonly why: string }> {
  if (!client.adapter.facts.openLoop) return { why: 'it has no open loop: it slows down instead' };
  if (layer.latency !== TOKEN_BY_TOKEN) return { why: 'tokens one by one were not measured' };
  const rate = saturationRate(result, cores);
  if ('why' in rate) return rate;
  const cell = cellOf(CHECK_TOKENS, PROMPT_WORDS.small);
  const point = await measure(
    client,
    {
      layer,
      cell,
      repetition: 1,
      order,
      purpose: 'saturation',
      rate: { rps: rate.rps, limited: null },
      durationS: SECONDS,
    },
    context,
    () => null,
  );
  onPoint(point);
  const { cost } = point;
  if (cost === null) return { why: point.why ?? 'it gave no cost' };
  if (cost.completed_rps === null) return { why: 'too few requests were completed' };
  const us = Math.max(unit === 'busiest thread' ? boundUs(cost, unit) : 0, cost.group_us / cores);
  return {
    layer: result.id,
    tokens: CHECK_TOKENS,
    asked_rps: rate.rps,
    completed_rps: cost.completed_rps,
    predicted_rps: rate.predicted,
    busiest_share: cost.busiest_share,
    group_share: cost.group_share,
    cost_us: us,
    ratio: cost.completed_rps / rate.predicted,
  };
}
