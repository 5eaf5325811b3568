/**
 * What the reference target can do, on this machine, now: medians of five runs, with the machine's own stalls beside them.
 *
 *   npm run build && node dist/scripts/bench-target.js [closed] [spin] [block] [ledger] [memory]
 *
 * One JSON document on stdout, a table on stderr. Needs wrk for `closed` and `memory` and taskset for pinning; what is not
 * there is skipped by name. Two cores are enough; nothing else should run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Table from 'cli-table3';
import { median, quantileSorted } from 'simple-statistics';
import type { Ledger } from '../src/measure/ledger.ts';
import { readLedger } from '../src/truth/ledger-file.ts';
import { closedLoop, has } from './bench-target/closed-loop.ts';
import { ledgerCost } from './bench-target/ledger-cost.ts';
import { openLoop } from './bench-target/open-loop.ts';
import { stallFloor } from './bench-target/stall-floor.ts';
import { startTarget } from './bench-target/target-process.ts';

const RUNS = 5;
const PARTS = ['closed', 'spin', 'block', 'ledger', 'memory'] as const;
type Part = (typeof PARTS)[number];

const dir = mkdtempSync(join(tmpdir(), 'tare-bench-'));
const pinned = availableParallelism() > 1 && (await has('taskset'));
const TARGET_CPU = pinned ? 0 : null;
const LOAD_CPU = pinned ? 1 : null;

type Figures = Readonly<Record<string, number>>;

/** The median of each figure over the runs. */
function medians(runs: readonly Figures[]): Figures {
  return Object.fromEntries(Object.keys(runs[0]!).map((key) => [key, median(runs.map((run) => run[key]!))]));
}

async function repeat(once: () => Promise<Figures> | Figures) {
  const runs: Figures[] = [];
  for (let i = 0; i < RUNS; i++) runs.push(await once());
  return { median: medians(runs), runs };
}

/** How late tokens left against when they were due. */
function lateness(ledger: Ledger): Figures {
  const late = Float64Array.from(ledger.tokenNs, (at, i) => (at - ledger.tokenDueNs[i]!) / 1e3).sort();
  const at = (p: number): number => quantileSorted(late as unknown as number[], p);
  const { cpuNs, windowNs, eventLoopUtilization } = ledger.meta;
  return {
    tokens: late.length,
    p50_us: at(0.5),
    p90_us: at(0.9),
    p99_us: at(0.99),
    max_us: late[late.length - 1]!,
    cpu_share: cpuNs / windowNs,
    loop_utilization: eventLoopUtilization,
  };
}

async function pacedRun(pacing: 'spin' | 'block'): Promise<Figures> {
  const file = join(dir, 'ledger.arrow');
  const flags = ['--latency', 'ttft=50ms,itl=10ms', '--pacing', pacing, '--ledger', file];
  const target = await startTarget(flags, pacing === 'spin' ? TARGET_CPU : null);
  const failed = await openLoop(target.url, 1000, 3, pacing === 'spin');
  await target.stop();
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return lateness(await readLedger(file));
}

async function closedRun(): Promise<Figures> {
  const target = await startTarget(['--ledger', join(dir, 'ledger.arrow')], TARGET_CPU);
  const { rps, errors } = await closedLoop(target.url, dir, 3, LOAD_CPU);
  await target.stop();
  const { cpuNs, windowNs } = (await readLedger(join(dir, 'ledger.arrow'))).meta;
  return { rate_rps: rps, errors, cpu_us_per_request: ((cpuNs / windowNs) * 1e6) / rps };
}

/** Memory after at least so many requests, while load runs. */
async function memoryAfter(
  requests: number,
  target: Awaited<ReturnType<typeof startTarget>>,
): Promise<Figures> {
  let stats = await target.stats();
  while (stats.requests < requests) {
    await sleep(200);
    stats = await target.stats();
  }
  const rss = stats.rss_bytes - stats.ledger_used_bytes;
  return {
    requests: stats.requests,
    ledger_mb: stats.ledger_used_bytes / 2 ** 20,
    rss_less_ledger_mb: rss / 2 ** 20,
    heap_used_mb: stats.heap_used_bytes / 2 ** 20,
  };
}

async function memoryRun(): Promise<Figures> {
  const target = await startTarget([], TARGET_CPU);
  // One run on the same connections: a connection's own memory is not what is asked.
  const load = closedLoop(target.url, dir, 20, LOAD_CPU);
  const early = await memoryAfter(100_000, target);
  const late = await memoryAfter(500_000, target);
  await load;
  await target.stop();
  const prefixed = (prefix: string, figures: Figures): Figures =>
    Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${prefix}_${key}`, value]));
  const grown = (late.rss_less_ledger_mb! - early.rss_less_ledger_mb!) * 2 ** 20;
  return {
    ...prefixed('early', early),
    ...prefixed('late', late),
    growth_bytes_per_request: grown / (late.requests! - early.requests!),
  };
}

/** The goals that each part is held to. */
const GOALS: Readonly<Record<Part, string>> = {
  closed: 'rate_rps ≥ 30,000; 16 tokens streamed, zero latency',
  spin: 'p50 ≤ 5 µs on a core of its own; 50/10 ms, 1,000 requests/s',
  block: 'p50 ≤ 150 µs on shared cores; 50/10 ms, 1,000 requests/s',
  ledger: '< 3,000 ns a request',
  memory: 'no growth beyond the ledger (178 bytes a request)',
};

async function measure(part: Part): Promise<{ median: Figures; runs: Figures[] } | { skipped: string }> {
  const needsWrk = part === 'closed' || part === 'memory';
  if (needsWrk && !(await has('wrk'))) return { skipped: 'wrk is not installed' };
  switch (part) {
    case 'closed':
      return repeat(closedRun);
    case 'spin':
    case 'block':
      return repeat(() => pacedRun(part));
    case 'ledger':
      return repeat(() => ({ ...ledgerCost() }));
    case 'memory': {
      const run = await memoryRun();
      return { median: run, runs: [run] };
    }
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !(PARTS as readonly string[]).includes(part));
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; there are ${PARTS.join(', ')}`);
// This process is the open-loop client: it keeps off the target's core.
if (pinned) execFileSync('taskset', ['-a', '-c', '-p', String(LOAD_CPU), String(process.pid)]);
const results: Record<string, unknown> = {};
const table = new Table({ head: ['part', 'figure', 'median', 'goal'], style: { head: [], border: [] } });
for (const part of PARTS.filter((name) => asked.length === 0 || asked.includes(name))) {
  // Each part has the floor of its own minute: other work on the machine comes and goes.
  const floor = stallFloor();
  const result = await measure(part);
  results[part] = { goal: GOALS[part], stall_floor: floor, load_1m: loadavg()[0], ...result };
  table.push([part, 'stall floor: largest gap, µs', floor.largest_gap_us.toPrecision(5), '']);
  table.push(['', 'stalls over 100 µs a second', String(floor.stalls_per_s), '']);
  if ('skipped' in result) table.push(['', '', `skipped: ${result.skipped}`, GOALS[part]]);
  else
    Object.entries(result.median).forEach(([key, value], index) => {
      table.push(['', key, value.toPrecision(5), index === 0 ? GOALS[part] : '']);
    });
}
rmSync(dir, { recursive: true });
process.stdout.write(
  `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, pinned, results }, null, 2)}\n`,
);
process.stderr.write(`${table.toString()}\n`);
