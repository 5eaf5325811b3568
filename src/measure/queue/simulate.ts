/** Curves of simulated clients, for tests of the fit: at each rate runs with seeds of their own, and the mean over runs with its error. */
import { mean, variance } from '../quantile.ts';
import { mixSeed } from '../random.ts';
import type { Split } from './loops.ts';
import type { Service } from './service.ts';
import { type Batch, type Handled, simulateFcfs, simulateGated } from './simulate-loops.ts';
import type { CurvePoint, MeanMs } from './types.ts';

/** A client whose queue is known. Times are seconds. */
export type SimulatedClient =
  | { readonly kind: 'fcfs'; readonly service: Service; readonly batch?: Batch }
  | { readonly kind: 'gated'; readonly turnS: number; readonly requestS: number; readonly events?: number };

export interface SimulationOptions {
  readonly rates: readonly number[];
  /** Runs a rate, and requests a run; the first tenth of a run is left out, in which the queue builds up. */
  readonly runs: number;
  readonly requests: number;
  readonly seed: number;
  readonly loops?: number;
  readonly split?: Split;
  /** Squared coefficient of variation of the gaps; 1 if not stated. */
  readonly gapCv2?: number;
  /** What the client adds without any queue, ms; 0 if not stated. */
  readonly ttftBaseMs?: number;
  readonly e2eBaseMs?: number;
}

const WARM_UP = 0.1;

/** One run: hands over the times of each request, s, beginning with an empty queue. */
export function run(
  client: SimulatedClient,
  rateRps: number,
  { requests, loops = 1, split = 'random', gapCv2 = 1 }: Omit<SimulationOptions, 'rates' | 'runs' | 'seed'>,
  seed: number,
  handled: Handled,
): void {
  const given = { rateRps, requests, loops, split, gapCv2 };
  if (client.kind === 'fcfs') simulateFcfs(given, client.service, client.batch ?? { size: 1 }, seed, handled);
  else simulateGated(given, client, seed, handled);
}

/** Steady points of the client's curve; no CPU time is simulated. */
export function simulateCurve(client: SimulatedClient, options: SimulationOptions): CurvePoint[] {
  const { rates, runs, requests, seed, ttftBaseMs = 0, e2eBaseMs = 0 } = options;
  return rates.map((rateRps, index): CurvePoint => {
    const [ttft, e2e]: [number[], number[]] = [[], []];
    for (let each = 0; each < runs; each++) {
      let [seen, first, last] = [0, 0, 0];
      const skip = WARM_UP * requests;
      run(client, rateRps, options, mixSeed(seed, index, each), (firstS, lastS) => {
        if (seen++ < skip) return;
        first += firstS;
        last += lastS;
      });
      const counted = requests - Math.ceil(skip);
      ttft.push((1000 * first) / counted);
      e2e.push((1000 * last) / counted);
    }
    return {
      rateRps,
      requests: runs * requests,
      durationS: requests / rateRps,
      tokens: client.kind === 'fcfs' && client.batch !== undefined ? meanSize(client.batch) : 1,
      ttftBias: over(ttft, ttftBaseMs),
      e2eBias: over(e2e, e2eBaseMs),
      cpuMsPerRequest: null,
      gapCv2: options.gapCv2 ?? 1,
      saturated: false,
    };
  });
}

const meanSize = (batch: Batch): number => ('size' in batch ? batch.size : batch.geometricMean);

const over = (runs: readonly number[], baseMs: number): MeanMs => ({
  mean: mean(runs) + baseMs,
  se: runs.length > 1 ? Math.sqrt(variance(runs) / runs.length) : null,
});
