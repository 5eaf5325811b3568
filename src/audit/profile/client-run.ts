/** A client's whole profile: every layer that it can, in turn; what it is good to; how long it takes to start and to end. */
import type { Adapter } from '../../../adapters/contract.ts';
import { type Extent, extentS, fitExtent } from '../../measure/profile/design.ts';
import type { KnownCost } from '../../measure/profile/rate.ts';
import { mean } from '../../measure/quantile.ts';
import { trialEstimateS } from '../plan.ts';
import type { ClientProfile, LayerResult, ProfilePoint, Unit } from './document.ts';
import { type LayerRuns, pilotsS, runLayer } from './layer-run.ts';
import {
  LAYER_CHOICES,
  type LayerChoice,
  type PlannedLayer,
  planLayers,
  usualTokenization,
} from './layers.ts';
import { type Measure, type ProfileContext, type ProfiledClient, runPoint } from './run.ts';
import { checkSaturation, SECONDS } from './saturation.ts';
import { median, summarizeLayer, unitOf } from './summary.ts';
import { unlikeAsked } from './unlike-asked.ts';

export interface ClientRunOptions {
  readonly layers: readonly LayerChoice[];
  readonly budgetS: number;
  readonly saturation: boolean;
}

export type ProfileEvent =
  | { readonly kind: 'layer'; readonly layer: PlannedLayer }
  | { readonly kind: 'point'; readonly point: ProfilePoint };

/** What is said of a layer that is not measured. */
function unmeasured(layer: PlannedLayer, state: 'cannot' | 'not known'): LayerResult {
  const { id, tokenization, front, how, latency } = layer;
  const none = {
    extent: null,
    busiest: null,
    group: null,
    load: null,
    half_load: null,
    good_to: [],
    points: [],
    warnings: [],
  };
  return { id, layer: layer.layer, tokenization, front, state, how, latency, ...none };
}

/** The layers that are worth a line: whether a client tokenizes is none where it has no such choice. */
const shown = (layer: PlannedLayer, client: ProfiledClient): boolean =>
  layer.choice !== 'tokenization' || usualTokenization(client.adapter.facts) !== 'not stated';

/** The dearest first: the rates of one layer are where the next one's pilots begin, and shall not overwhelm it. */
const DEAREST_FIRST: readonly LayerChoice[] = [
  'sse-token',
  'tls',
  'http2',
  'tokenization',
  'sse-one-write',
  'json',
];

/** What a run takes beside its load, s: as the runs so far took, since a busy machine is slower than any plan. */
function overheadOf(points: readonly ProfilePoint[], { facts }: Pick<Adapter, 'facts'>): number {
  const overheads = points.flatMap(({ elapsed_s, cost }) => (cost === null ? [] : [elapsed_s - cost.load_s]));
  return overheads.length === 0 ? trialEstimateS(0, facts) : mean(overheads);
}

/** What the least that can be measured of these layers takes, s: pilots, the smallest design, saturation. As runs take by the client's facts. */
export function leastProfileS(
  { facts }: Pick<Adapter, 'facts'>,
  { layers, saturation }: Pick<ClientRunOptions, 'layers' | 'saturation'>,
): { readonly layers: number; readonly seconds: number } {
  const overheadS = trialEstimateS(0, facts);
  const able = planLayers(facts, layers.length === 0 ? LAYER_CHOICES : layers).filter(
    ({ state, choice }) =>
      state === 'can' && (choice !== 'tokenization' || usualTokenization(facts) !== 'not stated'),
  ).length;
  const smallest = extentS(fitExtent(0, overheadS), overheadS);
  const seconds = able * (pilotsS(overheadS) + smallest) + (saturation && able > 0 ? SECONDS + overheadS : 0);
  return { layers: able, seconds: Math.ceil(seconds) };
}

/** A layer that was run. */
function resultOf(layer: PlannedLayer, runs: LayerRuns, unit: Unit, cores: number): LayerResult {
  const { id, tokenization, front, how, latency } = layer;
  const { why, ...summary } = summarizeLayer(runs.points, unit, cores);
  const shared = {
    id,
    layer: layer.layer,
    tokenization,
    front,
    latency,
    extent: runs.extent,
    points: runs.points,
  };
  const unlike = unlikeAsked(layer, runs.points);
  if (unlike?.fatal) return { ...unmeasured(layer, 'cannot'), ...shared, state: 'failed', how: unlike.words };
  const warnings = unlike === null ? summary.warnings : [...summary.warnings, unlike.words];
  return { ...shared, ...summary, how: why ?? how, warnings };
}

/** Measures a client. */
export async function profileClient(
  client: ProfiledClient,
  options: ClientRunOptions,
  context: ProfileContext,
  onEvent: (event: ProfileEvent) => void,
  measure: Measure = runPoint,
): Promise<Omit<ClientProfile, 'kept_in'>> {
  const { adapter, found } = client;
  const began = performance.now();
  const unit = unitOf(adapter.facts);
  const cores = context.cpus.clientCpus?.length ?? context.host.allowed_cpus.length;
  const planned = planLayers(
    adapter.facts,
    options.layers.length === 0 ? LAYER_CHOICES : options.layers,
  ).filter((layer) => shown(layer, client));
  let order = 0;
  const nextOrder = () => order++;
  const all: ProfilePoint[] = [];
  const onPoint = (point: ProfilePoint): void => {
    all.push(point);
    onEvent({ kind: 'point', point });
  };
  const done = new Map<string, LayerResult>();
  const able = planned
    .filter(({ state }) => state === 'can')
    .toSorted((a, b) => DEAREST_FIRST.indexOf(a.choice) - DEAREST_FIRST.indexOf(b.choice));
  let known: readonly KnownCost[] = [];
  for (const [i, layer] of able.entries()) {
    if (context.signal.aborted) break;
    onEvent({ kind: 'layer', layer });
    const extentOf = (): Extent => {
      const spentS = (performance.now() - began) / 1000;
      const overheadS = overheadOf(all, adapter);
      const after = able.length - i - 1;
      // The layers after it have pilots, too, and then the client is driven into saturation.
      const takenS = after * pilotsS(overheadS) + (options.saturation ? SECONDS + overheadS : 0);
      return fitExtent(Math.max(0, options.budgetS - spentS - takenS) / (able.length - i), overheadS);
    };
    const runs = await runLayer({
      client,
      layer,
      extent: extentOf,
      unit,
      cores,
      context,
      before: known,
      nextOrder,
      onPoint,
      measure,
    });
    known = runs.known;
    const result = resultOf(layer, runs, unit, cores);
    // Too little was run for its costs, and that is not the client's failure.
    const isCut = context.signal.aborted && result.state === 'failed';
    done.set(
      layer.id,
      isCut ? { ...result, state: 'interrupted', how: 'it was cut short before enough was run' } : result,
    );
  }
  const layers = planned.flatMap((layer) =>
    layer.state === 'can' ? (done.get(layer.id) ?? []) : unmeasured(layer, layer.state),
  );
  const apart = layers.find(({ id, state }) => id === 'sse-token' && state === 'measured');
  const saturation =
    !options.saturation || apart === undefined || context.signal.aborted
      ? null
      : await checkSaturation(
          client,
          planned.find(({ id }) => id === 'sse-token')!,
          apart,
          unit,
          cores,
          nextOrder(),
          context,
          onPoint,
          measure,
        );
  const costs = all.flatMap(({ cost, purpose }) => (cost === null || purpose === 'saturation' ? [] : [cost]));
  const loops = costs.flatMap((cost) => (cost.loops === null ? [] : [cost.loops]));
  return {
    name: adapter.name,
    title: adapter.title,
    version: found.version,
    architecture: adapter.facts.architecture,
    runtime: adapter.facts.runtime,
    bound_by: unit,
    loops: median(loops) ?? 1,
    workers: context.workers,
    startup_s: median(costs.map(({ startup_s }) => startup_s)),
    teardown_s: median(costs.map(({ teardown_s }) => teardown_s)),
    elapsed_s: Math.round((performance.now() - began) / 10) / 100,
    layers,
    saturation,
  };
}
