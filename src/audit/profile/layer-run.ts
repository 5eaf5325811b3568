/** All runs of a layer: pilots that find the rates, the designed runs in random order, and a few at half the load. */
import {
  type Cell,
  cellsFor,
  type Extent,
  HALF_CELLS,
  HALF_REPETITIONS,
  runsOf,
} from '../../measure/profile/design.ts';
import {
  type ChosenRate,
  chooseRate,
  DIRECT_ROOM,
  FRONT_ROOM,
  guessCost,
  type KnownCost,
  MOST_RHO,
  nextPilot,
  USUAL_RHO,
} from '../../measure/profile/rate.ts';
import type { PointCost, ProfilePoint, Unit } from './document.ts';
import { ONE_WRITE, type PlannedLayer } from './layers.ts';
import type { Measure, ProfileContext, ProfiledClient } from './run.ts';
import { boundUs, rhoOf } from './summary.ts';

export interface LayerRunner {
  readonly client: ProfiledClient;
  readonly layer: PlannedLayer;
  /** How much is measured; asked once the pilots have shown how long a run takes. */
  readonly extent: () => Extent;
  readonly unit: Unit;
  readonly cores: number;
  readonly context: ProfileContext;
  /** What other layers cost: where its first pilots begin. */
  readonly before: readonly KnownCost[];
  /** Place of the next run in the order of all. */
  readonly nextOrder: () => number;
  readonly onPoint: (point: ProfilePoint) => void;
  readonly measure: Measure;
}

export interface LayerRuns {
  readonly points: readonly ProfilePoint[];
  /** null: no pilot gave a cost, or it was cut short. */
  readonly extent: Extent | null;
  /** For the layers after it. */
  readonly known: readonly KnownCost[];
}

/** Nothing is known of the client: its first run is at this rate, which any client holds. */
const FIRST_RPS = 30;
const PILOT_S = 2;
/** How often the rate of a kind of request is sought. */
const MOST_PILOTS = 3;
/** As many as it usually takes. */
const USUAL_PILOTS = 2;
/** Few tokens, many tokens, a long prompt. */
const PILOT_CELLS = 3;

/** What the pilots of a layer take, s. `overheadS`: what a run takes beside its load. */
export const pilotsS = (overheadS: number): number => PILOT_CELLS * USUAL_PILOTS * (PILOT_S + overheadS);

/** Whether the client can be asked for such requests. */
export function takes({ adapter }: ProfiledClient): (cell: Cell) => boolean {
  const { arrivals } = adapter.facts;
  return ({ tokens, promptTokens }) =>
    (adapter.refuses?.({
      rateRps: 30,
      requests: 90,
      durationS: 3,
      arrivals: { kind: arrivals.includes('constant') ? 'constant' : 'poisson' },
      promptTokens,
      outputTokens: tokens,
      latency: ONE_WRITE,
      seed: 1,
    }) ?? null) === null;
}

/** Few tokens, many tokens, a long prompt: what a first plane goes through. */
export function pilotCells(cells: readonly Cell[]): Cell[] {
  const by = (of: (cell: Cell) => number) => cells.toSorted((a, b) => of(b) - of(a))[0]!;
  const least = cells.toSorted((a, b) => a.tokens + a.promptTokens - b.tokens - b.promptTokens)[0]!;
  const shortest = cells.filter(({ promptTokens }) => promptTokens === least.promptTokens);
  const mostTokens = shortest.toSorted((a, b) => b.tokens - a.tokens)[0]!;
  const longest = by(({ promptTokens }) => promptTokens).promptTokens;
  const longPrompt = cells
    .filter(({ promptTokens }) => promptTokens === longest)
    .toSorted((a, b) => a.tokens - b.tokens)[0]!;
  return [...new Set([least, mostTokens, longPrompt])];
}

/** Runs the layer; what is measured when the signal comes is what there is. */
export async function runLayer(runner: LayerRunner): Promise<LayerRuns> {
  const { client, layer, unit, cores, context } = runner;
  const { signal } = context;
  const room = layer.front === null ? DIRECT_ROOM : FRONT_ROOM;
  const points: ProfilePoint[] = [];
  /** The newest cost of each kind of request, of what is used up first: one thread, or the cores of all. */
  const costs = new Map<string, KnownCost>();
  const known = (): KnownCost[] => (costs.size > 0 ? [...costs.values()] : [...runner.before]);
  const within = (cell: Cell, durationS: number, costUs: number, rho = USUAL_RHO): ChosenRate => {
    const writes = layer.latency === ONE_WRITE ? 1 : cell.tokens;
    return chooseRate(costUs, rho, { writes, promptTokens: cell.promptTokens }, durationS, room);
  };
  const rateFor = (cell: Cell, durationS: number): ChosenRate => {
    const cost = guessCost(known(), cell.tokens, cell.promptTokens);
    return cost === null ? { rps: FIRST_RPS, limited: null } : within(cell, durationS, cost);
  };
  const tooBusy = (cost: PointCost): string | null => {
    const rho = rhoOf(cost, unit, cores);
    return rho > MOST_RHO ? `it was ${(rho * 100).toFixed(0)} % busy, so work may have waited` : null;
  };
  const run = async (
    cell: Cell,
    purpose: ProfilePoint['purpose'],
    repetition: number,
    rate: ChosenRate,
    durationS: number,
  ): Promise<ProfilePoint | null> => {
    const planned = { layer, cell, repetition, order: runner.nextOrder(), purpose, rate, durationS };
    const point = await runner.measure(client, planned, context, purpose === 'pilot' ? () => null : tooBusy);
    if (signal.aborted) return null;
    points.push(point);
    runner.onPoint(point);
    if (point.cost !== null && purpose !== 'half')
      costs.set(cell.id, {
        tokens: cell.tokens,
        promptTokens: cell.promptTokens,
        us: Math.max(boundUs(point.cost, unit), point.cost.group_us / cores),
      });
    return point;
  };
  /** Seeks the rate at which such requests keep the client as busy as it shall be. False: they give no cost. */
  const pilot = async (cell: Cell): Promise<boolean> => {
    let rate = rateFor(cell, PILOT_S);
    for (let i = 1; i <= MOST_PILOTS; i++) {
      const point = await run(cell, 'pilot', i, rate, PILOT_S);
      if (point === null) return false;
      if (point.cost === null) {
        // A pilot may have been too short for its answers.
        if (i > 1) return false;
        continue;
      }
      const next = nextPilot(rate.rps, rhoOf(point.cost, unit, cores));
      if (next === null) return true;
      const bounded = within(cell, PILOT_S, (USUAL_RHO * 1e6) / next);
      if (bounded.rps === rate.rps) return true;
      rate = bounded;
    }
    return true;
  };

  const cells = cellsFor(takes(client), 'full');
  const pilots = pilotCells(cells);
  for (const [i, cell] of pilots.entries()) {
    if (signal.aborted) return { points, extent: null, known: known() };
    // Where not even the least request gives a cost, others would not.
    if (!(await pilot(cell)) && i === 0) return { points, extent: null, known: known() };
  }
  const extent = runner.extent();
  const { duration_s: durationS, repetitions } = extent;
  const chosen = cellsFor(takes(client), extent.size);
  /** One rate a kind of request: its runs are to differ by nothing but chance. Another one only after a run that was too busy. */
  const rates = new Map<string, ChosenRate>();
  for (const { cell, repetition } of runsOf(chosen, repetitions, context.seed)) {
    if (signal.aborted) break;
    const rate = rates.get(cell.id) ?? rateFor(cell, durationS);
    const point = await run(cell, 'usual', repetition, rate, durationS);
    if (point?.why === null) rates.set(cell.id, rate);
    else rates.delete(cell.id);
  }
  const ends = pilots.filter(({ id }) => rates.has(id)).slice(0, HALF_CELLS);
  for (let repetition = 1; repetition <= HALF_REPETITIONS; repetition++)
    for (const cell of ends) {
      if (signal.aborted) break;
      const { rps } = rates.get(cell.id)!;
      await run(cell, 'half', repetition, within(cell, durationS, (USUAL_RHO * 1e6) / (rps / 2)), durationS);
    }
  return { points, extent, known: known() };
}
