/** Puts a plan’s workers together: what the load asks for, what the machine has, and what is to be warned of before the run. */
import { createShapes } from '../measure/load/shapes.ts';
import type { LoadWarning } from './report.ts';
import { costOfRequest, type KnownCosts } from './request-cost.ts';
import type { RequestOptions } from './requests/options.ts';
import { shapesSpec } from './requests/spec.ts';
import { neededConnections, type Room, roomWarnings, workersForDescriptors } from './room.ts';
import { chooseWorkers, loadText, MAX_RHO, rhoText, type WorkerChoice } from './worker-choice.ts';

/** What this machine is known to have, besides its cores. */
export interface Machine {
  readonly room: Room;
  readonly costs: KnownCosts;
}

/** Bytes of a body without its prompt, and of a word of a prompt with the space behind it, about. */
const BODY_BYTES = 150;
const BYTES_A_WORD = 6;

/** Requests that means are taken over at most: beyond, they are known to a percent or two. */
const ENOUGH = 5000;

/** Mean tokens of answers and prompts, by the shapes that the run will have. */
function meanShape(options: LoadToPlan): { readonly output: number; readonly prompt: number } {
  const spec = shapesSpec(options);
  if (spec === null) return { output: options.outputTokens, prompt: options.promptTokens };
  const shapeOf = createShapes(spec);
  const n = Math.min(options.requests, ENOUGH);
  let output = 0;
  let prompt = 0;
  for (let i = 0; i < n; i++) {
    const shape = shapeOf(i);
    output += shape.outputTokens;
    prompt += shape.promptTokens;
  }
  return { output: output / n, prompt: prompt / n + (options.prefix?.tokens ?? 0) };
}

/** What of a run's options matters here. */
export interface LoadToPlan extends RequestOptions {
  readonly url: string;
  readonly requests: number;
  readonly connections: number | null;
}

export interface PlannedWorkers {
  readonly choice: WorkerChoice;
  readonly warnings: readonly LoadWarning[];
}

/** `peakRps`: the busiest rate of the schedule; null of a closed loop. `useful`: workers that can have work at all. Throws a UserError where it cannot work. */
export function planWorkers(
  options: LoadToPlan,
  limits: {
    readonly workers: number | null;
    readonly maxInFlight: number | null;
    readonly burnPerTokenUs: number;
  },
  peakRps: number | null,
  useful: number,
  supply: { readonly cores: number; readonly why: string },
  { room, costs }: Machine,
): PlannedWorkers {
  const { output: tokens, prompt } = meanShape(options);
  const cost =
    costs.profile === null
      ? null
      : costOfRequest(costs.profile, {
          tokens,
          promptBytes: BODY_BYTES + prompt * BYTES_A_WORD,
          stream: options.stream,
          tls: options.url.startsWith('https:'),
          burnPerTokenUs: limits.burnPerTokenUs,
        });
  const needed = neededConnections({
    concurrency: options.concurrency,
    maxInFlight: limits.maxInFlight,
    connections: options.connections,
    peakRps,
    tokens,
    requests: options.requests,
  });
  const choice = chooseWorkers(
    {
      peakRps,
      cost,
      noCost: costs.profile === null ? costs.why : 'its profile has no layer of this kind',
      tokens,
      asked: limits.workers,
      useful,
      forDescriptors: workersForDescriptors(needed, room),
    },
    supply,
  );
  const warnings = roomWarnings(needed, choice.workers, room);
  if (cost !== null && peakRps !== null && choice.rho_high! > MAX_RHO) {
    const more = limits.workers === null || supply.cores <= choice.workers ? '' : 'use more workers, ';
    warnings.unshift({
      code: 'client-queueing',
      evidence: `${loadText(peakRps, cost, tokens)} (up to ${(cost.high_us / 1000).toPrecision(2)}): ρ ${rhoText(choice.rho!)} to ${rhoText(choice.rho_high!)} on ${choice.workers === 1 ? 'its one worker' : `each of ${choice.workers} workers`} (${supply.why})`,
      remedy: `figures will carry the client's own queueing: ${more}stay at or below ${Math.floor(choice.good_to_rps!)} requests/s on these cores, or give it more`,
    });
  }
  return { choice, warnings };
}
