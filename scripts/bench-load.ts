/**
 * What our client itself adds, and how far it goes: the reference target on one core, the client on another, joined request by request with the
 * target's ledger. Overhead is E2E from the scheduled instant (to the last token) minus the target's own residence (arrival to
 * last token's write). Medians of five runs, with the gaps of a loop that only reads the clock on the same cores beside them. One JSON
 * document on stdout, a table on stderr. Needs taskset and two cores; nothing else should run.
 *
 *   node dist/scripts/bench-load.js [--runs 5] [--seconds 3] [--only NAME,NAME] [--target-cpu 0] [--client-cpu 1]
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { runLoad } from '../src/load/coordinator.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../src/load/options.ts';
import type { LoadReport } from '../src/load/report.ts';
import type { RequestRecord } from '../src/load/spool.ts';
import type { Ledger } from '../src/measure/ledger.ts';
import { quantileSorted } from '../src/measure/quantile.ts';
import { readLedger } from '../src/truth/ledger-file.ts';
import type { StallFloor } from './bench-target/stall-floor.ts';
import { startTarget } from './bench-target/target-process.ts';
import { stallFloorOn } from './stall-floor.ts';

interface Scenario {
  readonly name: string;
  readonly rate: number;
  readonly latency: string;
  /** The figures to reach, ms; null where the run only says how far it goes. */
  readonly goal: { readonly p50: number; readonly p99: number } | null;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'coalesced-10000', rate: 10_000, latency: 'zero', goal: { p50: 0.1, p99: 1.5 } },
  { name: 'coalesced-16000', rate: 16_000, latency: 'zero', goal: { p50: 0.15, p99: 1.2 } },
  { name: 'coalesced-20000', rate: 20_000, latency: 'zero', goal: null },
  { name: 'coalesced-24000', rate: 24_000, latency: 'zero', goal: null },
  { name: 'tokens-3000', rate: 3000, latency: 'ttft=20ms,itl=5ms', goal: { p50: 0.25, p99: 3 } },
];
const TOKENS = 16;
const STALL_S = 0.7;
const SETTLED_AFTER_S = 1;

interface RunFigures {
  readonly sends_ratio: number | null;
  readonly completions_ratio: number | null;
  readonly failed: number;
  /** Requests that could not be joined with the ledger. */
  readonly unjoined: number;
  readonly overhead_p50_ms: number;
  readonly overhead_p99_ms: number;
  readonly overhead_max_ms: number;
  /** The same, of requests due after the first second: without what is cold at the start. */
  readonly settled_p50_ms: number;
  readonly settled_p99_ms: number;
  readonly lag_p50_ms: number | null;
  readonly lag_p99_ms: number | null;
  readonly client_cpu_share: number | null;
  readonly target_cpu_share: number;
  readonly gc_ms: number | null;
  readonly gc_max_ms: number | null;
  readonly stall_client: StallFloor;
  readonly stall_target: StallFloor;
}

/** Overheads of the requests that both sides know and that were due from `fromNs` on, ms, ascending. */
function overheads(ledger: Ledger, records: readonly RequestRecord[], fromNs: number): Float64Array {
  const row = new Map<string, number>();
  for (let i = 0; i < ledger.rows; i++) {
    const id = ledger.requestId[i];
    if (id != null) row.set(id, i);
  }
  const values: number[] = [];
  for (const record of records) {
    const i = row.get(record.request_id);
    if (i === undefined || record.outcome !== 'complete' || record.last_token_ns === null) continue;
    if (record.scheduled_ns! < fromNs) continue;
    const residence = ledger.lastNs[i]! - ledger.arrivalNs[i]!;
    values.push((record.last_token_ns - record.scheduled_ns! - residence) / 1e6);
  }
  return Float64Array.from(values).sort();
}

/** Runs `use` against a target of this scenario; its ledger is whole afterwards. */
async function withTarget<T>(
  scenario: Scenario,
  requests: number,
  cpu: number,
  ledger: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const rows = requests + 1000;
  const target = await startTarget(
    [
      ...[
        '--ledger',
        ledger,
        '--latency',
        scenario.latency,
        '--model',
        LOAD_DEFAULTS.model,
        '--pacing',
        'spin',
      ],
      ...['--capacity-requests', String(rows), '--capacity-tokens', String(rows * TOKENS)],
    ],
    cpu,
  );
  try {
    return await use(target.url);
  } finally {
    await target.stop();
  }
}

async function runOnce(
  scenario: Scenario,
  seconds: number,
  seed: number,
  cpus: { target: number; client: number },
): Promise<RunFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'tare-bench-'));
  try {
    const stallTarget = await stallFloorOn(cpus.target, STALL_S);
    const stallClient = await stallFloorOn(cpus.client, STALL_S);
    const ledgerFile = join(dir, 'ledger.arrow');
    const requests = Math.round(scenario.rate * seconds);
    const recordsFile = join(dir, 'records.jsonl');
    const report: LoadReport = await withTarget(scenario, requests, cpus.target, ledgerFile, (url) => {
      const options: LoadOptions = {
        ...LOAD_DEFAULTS,
        url,
        rateRps: scenario.rate,
        requests,
        outputTokens: TOKENS,
        seed,
        cpus: [cpus.client],
        recordsFile,
      };
      const cores = { allowed: os.cpus().map((_, i) => i), total: os.cpus().length, taskset: true };
      return runLoad(options, planLoad(options, cores));
    });
    const ledger = await readLedger(ledgerFile);
    const lines = (await readFile(recordsFile, 'utf8')).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as RequestRecord);
    const values = overheads(ledger, records, 0);
    const settled = overheads(ledger, records, report.start_ns + SETTLED_AFTER_S * 1e9);
    const worker = report.workers[0]!;
    return {
      sends_ratio: report.rate.sends_ratio,
      completions_ratio: report.rate.completions_ratio,
      failed: report.counts.failed,
      unjoined: requests - report.counts.failed - values.length,
      overhead_p50_ms: quantileSorted(values, 0.5),
      overhead_p99_ms: quantileSorted(values, 0.99),
      overhead_max_ms: values.at(-1) ?? Number.NaN,
      settled_p50_ms: quantileSorted(settled, 0.5),
      settled_p99_ms: quantileSorted(settled, 0.99),
      lag_p50_ms: report.schedule_lag.p50_ms,
      lag_p99_ms: report.schedule_lag.p99_ms,
      client_cpu_share: worker.cpu_share,
      target_cpu_share: ledger.meta.cpuNs / ledger.meta.windowNs,
      gc_ms: worker.gc_ms,
      gc_max_ms: worker.gc_max_ms,
      stall_client: stallClient,
      stall_target: stallTarget,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number => quantileSorted(Float64Array.from(values).sort(), 0.5);

const range = (values: readonly number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;

function summaryRow(scenario: Scenario, runs: readonly RunFigures[]): string[] {
  const of = (pick: (r: RunFigures) => number | null): number[] => runs.map((r) => pick(r) ?? Number.NaN);
  const p50 = median(of((r) => r.overhead_p50_ms));
  const p99 = median(of((r) => r.overhead_p99_ms));
  const ratios = [median(of((r) => r.sends_ratio)), median(of((r) => r.completions_ratio))];
  const { goal } = scenario;
  const met =
    goal !== null &&
    p50 <= goal.p50 &&
    p99 <= goal.p99 &&
    ratios.every((x) => x >= 0.999) &&
    runs.every((r) => r.failed === 0);
  return [
    scenario.name,
    ratios[0]!.toFixed(4),
    ratios[1]!.toFixed(4),
    String(runs.reduce((n, r) => n + r.failed, 0)),
    range(
      of((r) => r.overhead_p50_ms),
      3,
    ),
    range(
      of((r) => r.overhead_p99_ms),
      2,
    ),
    range(
      of((r) => r.settled_p50_ms),
      3,
    ),
    range(
      of((r) => r.settled_p99_ms),
      2,
    ),
    goal === null ? '–' : `${met ? 'met' : 'missed'} (${goal.p50}/${goal.p99})`,
    range(
      of((r) => r.lag_p99_ms),
      2,
    ),
    median(of((r) => r.client_cpu_share)).toFixed(2),
    median(of((r) => r.target_cpu_share)).toFixed(2),
    `${median(of((r) => r.stall_client.largest_gap_us / 1000)).toFixed(1)} / ${median(of((r) => r.stall_target.largest_gap_us / 1000)).toFixed(1)}`,
    `${median(of((r) => r.stall_client.stalls_per_s)).toFixed(0)} / ${median(of((r) => r.stall_target.stalls_per_s)).toFixed(0)}`,
  ];
}

const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    'target-cpu': { type: 'string', default: '0' },
    'client-cpu': { type: 'string', default: '1' },
  },
});
const cpus = { target: Number(flags['target-cpu']), client: Number(flags['client-cpu']) };
const chosen = SCENARIOS.filter((s) => flags.only === undefined || flags.only.split(',').includes(s.name));
const table = new Table({
  head: [
    ...[
      'scenario',
      'sends',
      'completions',
      'failed',
      'overhead p50 ms',
      'p99 ms',
      'p50 after 1 s',
      'p99 after 1 s',
      'goal p50/p99',
    ],
    ...['lag p99 ms', 'client cpu', 'target cpu', 'stall max ms c/t', 'stalls/s c/t'],
  ],
  style: { head: [], border: [] },
});
const all: { scenario: Scenario; runs: RunFigures[] }[] = [];
for (const scenario of chosen) {
  const runs: RunFigures[] = [];
  for (let i = 0; i < Number(flags.runs); i++) {
    const figures = await runOnce(scenario, Number(flags.seconds), i + 1, cpus);
    runs.push(figures);
    process.stderr.write(
      `${scenario.name} ${i + 1}: overhead p50 ${figures.overhead_p50_ms.toFixed(3)} p99 ${figures.overhead_p99_ms.toFixed(3)} max ${figures.overhead_max_ms.toFixed(2)} ms, after 1 s p50 ${figures.settled_p50_ms.toFixed(3)} p99 ${figures.settled_p99_ms.toFixed(3)}, sends ${figures.sends_ratio?.toFixed(4)}, completions ${figures.completions_ratio?.toFixed(4)}, failed ${figures.failed}, unjoined ${figures.unjoined}, lag p50 ${figures.lag_p50_ms?.toFixed(3)}, cpu ${figures.client_cpu_share?.toFixed(2)}/${figures.target_cpu_share.toFixed(2)}, gc ${figures.gc_ms?.toFixed(0)} (max ${figures.gc_max_ms?.toFixed(2)}) ms\n`,
    );
  }
  all.push({ scenario, runs });
  table.push(summaryRow(scenario, runs));
}
process.stderr.write(`${table.toString()}\n`);
process.stdout.write(
  `${JSON.stringify({ cpus, seconds: Number(flags.seconds), scenarios: all }, null, 2)}\n`,
);
