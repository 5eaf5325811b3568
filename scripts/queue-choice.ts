/**
 * Prints a table of docs/model.md as Markdown: how often the right model is chosen of simulated clients, and how often the intervals hold the truth,
 * at the noise of short and of longer trials. `node dist/scripts/queue-choice.js [curves a client] [first seed]`. Some minutes.
 */
import { mean, variance } from '../src/measure/quantile.ts';
import { fitQueue } from '../src/measure/queue/fit.ts';
import { run, type SimulatedClient } from '../src/measure/queue/simulate.ts';
import type { CurvePoint, Estimate, MeanMs } from '../src/measure/queue/types.ts';
import { mixSeed } from '../src/measure/random.ts';

const CURVES = Number(process.argv[2] ?? 30);
const SEED = Number(process.argv[3] ?? 100);
const UTILIZATIONS = [0.1, 0.3, 0.5, 0.7, 0.85];
const TRIALS = 3;
const BLOCKS = 20;

interface Case {
  readonly name: string;
  readonly client: SimulatedClient;
  /** Greatest rate, requests/s. */
  readonly mu: number;
}

const fcfs = (law: 'deterministic' | 'exponential' | 'gamma', cv2 = 1): SimulatedClient => ({
  kind: 'fcfs',
  service: { law, meanS: 0.001, cv2 },
});
const gated = (ratio: number): Case => ({
  name: `gated, a/b = ${ratio}`,
  client: { kind: 'gated', turnS: ratio * 0.0005, requestS: 0.0005, events: 16 },
  mu: 2000,
});
const CASES: readonly Case[] = [
  { name: 'M/D/1', client: fcfs('deterministic'), mu: 1000 },
  { name: 'M/M/1', client: fcfs('exponential'), mu: 1000 },
  { name: 'M/G/1, CV² 4', client: fcfs('gamma', 4), mu: 1000 },
  gated(0.3),
  gated(1),
  gated(4),
  gated(10),
];

/** A trial's mean, ms, and its own standard error by blocks of requests, as an audit has it. */
function byBlocks(values: readonly number[]): { readonly mean: number; readonly se: number } {
  const size = Math.floor(values.length / BLOCKS);
  const blocks = Array.from({ length: BLOCKS }, (_, i) => mean(values.slice(i * size, (i + 1) * size)));
  return { mean: mean(values), se: Math.sqrt(variance(blocks) / BLOCKS) };
}

/** Over trials: the larger of what they differ by and of what each can tell, as in an audit's curve. */
function over(trials: readonly (readonly number[])[]): MeanMs {
  const each = trials.map(byBlocks);
  const between = Math.sqrt(variance(each.map((one) => one.mean)) / each.length);
  const within = Math.sqrt(mean(each.map(({ se }) => se ** 2)) / each.length);
  return { mean: mean(each.map((one) => one.mean)), se: Math.max(between, within) };
}

function curve({ client, mu }: Case, trialS: number, seed: number): CurvePoint[] {
  return UTILIZATIONS.map((rho, index): CurvePoint => {
    const rateRps = rho * mu;
    const requests = Math.round(rateRps * trialS);
    const [ttft, e2e]: [number[][], number[][]] = [[], []];
    for (let trial = 0; trial < TRIALS; trial++) {
      const [first, last]: [number[], number[]] = [[], []];
      run(client, rateRps, { requests }, mixSeed(seed, index, trial), (firstS, lastS) => {
        first.push(1000 * firstS + 0.3);
        last.push(1000 * lastS + 0.3);
      });
      ttft.push(first);
      e2e.push(last);
    }
    return {
      rateRps,
      requests: requests * TRIALS,
      durationS: trialS,
      tokens: 16,
      ttftBias: over(ttft),
      e2eBias: over(e2e),
      cpuMsPerRequest: null,
      gapCv2: null,
      saturated: false,
    };
  });
}

const holds = ({ low, high }: Estimate, truth: number): boolean =>
  (low === null || low <= truth) && (high === null || high >= truth);

function row(one: Case, trialS: number): string {
  const tally = { right: 0, tie: 0, wrong: 0, none: 0, own: 0, shown: 0, width: [] as number[] };
  const right = one.client.kind === 'gated' ? 'gated' : 'mg1';
  for (let i = 0; i < CURVES; i++) {
    const fit = fitQueue(curve(one, trialS, SEED + i), { loops: 1, seed: SEED + i });
    const { parameters } = fit.models.find(({ kind }) => kind === right)!;
    const cost = parameters.kind === 'mg1' ? parameters.muRps : parameters.requestMs;
    if (holds(cost, parameters.kind === 'mg1' ? one.mu : 1000 / one.mu)) tally.own++;
    if (fit.chosen === null) tally.none++;
    else if (fit.tie) tally.tie++;
    else if (fit.chosen === right) tally.right++;
    else tally.wrong++;
    const { capacityRps } = fit;
    if (capacityRps === null) continue;
    if (holds(capacityRps, one.mu)) tally.shown++;
    if (capacityRps.high !== null && capacityRps.low !== null)
      tally.width.push((capacityRps.high - capacityRps.low) / one.mu);
  }
  const share = (n: number, all = CURVES) => (all === 0 ? '–' : `${Math.round((100 * n) / all)} %`);
  const widths = tally.width.sort((a, b) => a - b);
  const median = widths.length === 0 ? '–' : share(widths[Math.floor(widths.length / 2)]!, 1);
  return `| ${one.name} | ${TRIALS} × ${trialS} s | ${share(tally.right)} | ${share(tally.tie)} | ${share(tally.wrong)} | ${share(tally.none)} | ${share(tally.own)} | ${share(tally.shown, CURVES - tally.none)} | ${median} |`;
}

process.stdout.write(
  `${CURVES} curves of each client, seeds from ${SEED}; ρ = ${UTILIZATIONS.join(', ')}.\n\n| simulated | trials | right | both | wrong | none | interval of the true model holds its μ or 1/b | greatest rate as given holds it | its width (median) |\n|---|---|---|---|---|---|---|---|---|\n`,
);
for (const trialS of [5, 60]) for (const one of CASES) process.stdout.write(`${row(one, trialS)}\n`);
