/**
 * Sweeps the reference target at capacities that are known by computation, and prints what the sweep finds: `node dist/scripts/knee-known.js [50] [500] [2000]`
 * (requests/s; all three without arguments, under 5 minutes). `--cpus T,C`: cores for target and client, where there is taskset. `--budget 90s` for each.
 * Exits with 3 when a knee is not found, or is off by more than 5 %.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SweepReport } from '../src/load/sweep/report.ts';

const CLI = join(dirname(fileURLToPath(import.meta.url)), '../src/cli/main.js');
const SLOTS = 5;
const TOKENS = 16;
/** Of a request's service, the part before its first token. */
const TTFT_SHARE = 0.5;
const TOLERANCE = 0.05;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cpus: { type: 'string' },
    budget: { type: 'string', default: '90s' },
    verbose: { type: 'boolean' },
  },
});

/** A program of ours, on a core of its own where asked. */
function start(args: readonly string[], cpu: string | undefined): ChildProcess {
  const command = [process.execPath, CLI, ...args];
  const [program, ...rest] = cpu === undefined ? command : ['taskset', '-c', cpu, ...command];
  return spawn(program!, rest, { stdio: ['ignore', 'pipe', values.verbose ? 'inherit' : 'ignore'] });
}

/** Latencies that make this capacity exactly, in whole nanoseconds: what is left over goes to the first token. */
function latencyFor(capacity: number): { text: string; serviceNs: number } {
  const serviceNs = Math.round((SLOTS / capacity) * 1e9);
  const itlNs = Math.round((serviceNs * (1 - TTFT_SHARE)) / (TOKENS - 1));
  return { text: `ttft=${serviceNs - (TOKENS - 1) * itlNs}ns,itl=${itlNs}ns`, serviceNs };
}

async function sweep(capacity: number): Promise<SweepReport> {
  const [targetCpu, clientCpu] = values.cpus?.split(',') ?? [];
  const { text } = latencyFor(capacity);
  const target = start(['serve', '--port', '0', '--slots', String(SLOTS), '--latency', text], targetCpu);
  try {
    const [ready] = await once(createInterface({ input: target.stdout! }), 'line');
    const { url } = JSON.parse(ready as string) as { url: string };
    const range = `${capacity / 4}..${capacity * 2}`;
    const flags = ['--tokens', String(TOKENS), '--sweep', range, '--budget-time', values.budget, '--json'];
    const client = start(
      ['load', '--url', url, ...flags, ...(clientCpu === undefined ? [] : ['--cpus', clientCpu])],
      clientCpu,
    );
    let json = '';
    client.stdout!.on('data', (part: Buffer) => {
      json += part.toString();
    });
    await once(client, 'close');
    return JSON.parse(json) as SweepReport;
  } finally {
    target.kill('SIGTERM');
    await once(target, 'exit');
  }
}

const capacities = positionals.length > 0 ? positionals.map(Number) : [50, 500, 2000];
let wrong = 0;
for (const capacity of capacities) {
  const known = (SLOTS / latencyFor(capacity).serviceNs) * 1e9;
  const { knee, steps, elapsed_s: elapsedS } = await sweep(capacity);
  const found = knee.rps;
  const off = found === null ? null : found / known - 1;
  if (off === null || Math.abs(off) > TOLERANCE) wrong++;
  const words =
    off === null
      ? `none stated (${knee.state}: ${knee.absent})`
      : `${found!.toFixed(1)}/s (${knee.low_rps!.toFixed(1)} to ${knee.high_rps!.toFixed(1)}), ${off >= 0 ? '+' : ''}${(off * 100).toFixed(2)} %, by ${knee.basis}; stable at ${knee.stable_rps?.toFixed(1) ?? '–'}, overloaded at ${knee.overloaded_rps?.toFixed(1) ?? '–'}`;
  process.stdout.write(
    `known ${known.toFixed(1)}/s: found ${words}; ${steps.length} steps in ${elapsedS.toFixed(0)} s\n`,
  );
}
if (wrong > 0) process.exitCode = 3;
