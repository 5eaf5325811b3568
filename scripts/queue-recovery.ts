/**
 * Prints the tables of docs/model.md as Markdown: clients with a known queue are simulated and their curves fitted.
 * `node dist/scripts/queue-recovery.js [requests a rate, thousands]`. About two minutes at 1000.
 */
import { fitQueue } from '../src/measure/queue/fit.ts';
import { cv2Of } from '../src/measure/queue/service.ts';
import { type SimulatedClient, simulateCurve } from '../src/measure/queue/simulate.ts';
import type { Estimate, FittedModel } from '../src/measure/queue/types.ts';

const thousands = Number(process.argv[2] ?? 1000);
const RUNS = 20;
const UTILIZATIONS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

interface Case {
  readonly name: string;
  readonly client: SimulatedClient;
  /** Greatest rate of a loop, requests/s. */
  readonly mu: number;
  readonly loops?: number;
}

const fcfs = (
  law: 'deterministic' | 'exponential' | 'gamma' | 'lognormal',
  cv2?: number,
): SimulatedClient => ({
  kind: 'fcfs',
  service: { law, meanS: 0.001, ...(cv2 === undefined ? {} : { cv2 }) },
});
const batch = (size: number, law: 'deterministic' | 'exponential'): SimulatedClient => ({
  kind: 'fcfs',
  service: { law, meanS: 0.001 / size },
  batch: { size },
});

const CASES: readonly Case[] = [
  { name: 'M/D/1', client: fcfs('deterministic'), mu: 1000 },
  { name: 'M/M/1', client: fcfs('exponential'), mu: 1000 },
  { name: 'M/G/1, gamma', client: fcfs('gamma', 0.5), mu: 1000 },
  { name: 'M/G/1, lognormal', client: fcfs('lognormal', 2), mu: 1000 },
  { name: 'M/G/1, gamma', client: fcfs('gamma', 4), mu: 1000 },
  { name: 'batches of 2, M', client: batch(2, 'exponential'), mu: 1000 },
  { name: 'batches of 4, M', client: batch(4, 'exponential'), mu: 1000 },
  { name: 'batches of 8, D', client: batch(8, 'deterministic'), mu: 1000 },
  { name: 'M/M/1, 4 loops', client: fcfs('exponential'), mu: 1000, loops: 4 },
  { name: 'gated', client: { kind: 'gated', turnS: 0.0002, requestS: 0.0001, events: 16 }, mu: 10000 },
  { name: 'gated', client: { kind: 'gated', turnS: 0.001, requestS: 0.001, events: 4 }, mu: 1000 },
  { name: 'gated', client: { kind: 'gated', turnS: 0.002, requestS: 0.0005 }, mu: 2000 },
  { name: 'gated, 2 loops', client: { kind: 'gated', turnS: 0.003, requestS: 0.0005 }, mu: 2000, loops: 2 },
];

const show = (value: number): string => String(Number(value.toPrecision(value >= 100 ? 4 : 3)));
const estimate = ({ value, low, high }: Estimate | { value: number; low: null; high: null }): string =>
  `${show(value)} (${low === null ? '–' : show(low)} to ${high === null ? '∞' : show(high)})`;
const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);

function row({ name, client, mu, loops = 1 }: Case, index: number): string {
  const points = simulateCurve(client, {
    rates: UTILIZATIONS.map((rho) => rho * mu * loops),
    runs: RUNS,
    requests: (1000 * thousands) / RUNS,
    seed: index,
    loops,
  });
  const fit = fitQueue(points, { loops, seed: 1 });
  const kind = client.kind === 'gated' ? 'gated' : 'mg1';
  const of = (wanted: string) => fit.models.find((model) => model.kind === wanted)!;
  const { parameters } = of(kind) as FittedModel;
  const recovered =
    parameters.kind === 'mg1'
      ? [
          `μ ${mu}/s → ${estimate(parameters.muRps)}`,
          `CV² ${client.kind === 'fcfs' ? show(trueCv2(client)) : ''} → ${estimate(parameters.cv2)}`,
          ...(client.kind === 'fcfs' && client.batch !== undefined && parameters.batchEvents !== null
            ? [`batch ${sizeOf(client)} → ${estimate(parameters.batchEvents)}`]
            : []),
        ]
      : [
          `a ${client.kind === 'gated' ? show(1000 * client.turnS) : ''} ms → ${estimate(parameters.turnMs)}`,
          `b ${client.kind === 'gated' ? show(1000 * client.requestS) : ''} ms → ${estimate(parameters.requestMs)}`,
        ];
  const chosen = fit.tie ? 'both' : (fit.chosen ?? 'none');
  return `| ${name} | ${recovered.join('; ')} | ${percent(of('mg1').heldOutError)} | ${percent(of('gated').heldOutError)} | ${chosen} |`;
}

const sizeOf = (client: Extract<SimulatedClient, { kind: 'fcfs' }>): number =>
  client.batch !== undefined && 'size' in client.batch ? client.batch.size : 1;
const trueCv2 = (client: Extract<SimulatedClient, { kind: 'fcfs' }>): number =>
  cv2Of(client.service) / sizeOf(client);

process.stdout.write(
  [
    `${thousands} thousand requests a rate in ${RUNS} runs, ρ = ${UTILIZATIONS.join(', ')}; 95 % intervals in brackets.`,
    '',
    '| simulated | truth → recovered | held-out error, M/G/1 | gated | chosen |',
    '|---|---|---|---|---|',
    ...CASES.map(row),
    '',
  ].join('\n'),
);
