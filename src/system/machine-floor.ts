/**
 * What this machine adds by itself, just before an audit: the clock's step and cost, the way over loopback, the waking of a sleeper, and
 * what the hypervisor took meanwhile. No client and no HTTP are in it: it is the least that any event-driven client can show.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, clockResolutionNs, monotonicClock } from './clock.ts';
import { type HostSources, realSources } from './host.ts';
import type { Launcher, LaunchSpec } from './launcher.ts';
import { entry } from './package-root.ts';
import { type ClockCost, clockCost, type DelaySpread, parseProbe, spreadOf } from './probe-result.ts';

/** Exchanges that are measured: half a second, at 1 ms between them. */
const EXCHANGES = 400;
const READY_MS = 5000;
const POLL_MS = 10;

export interface MachineFloor {
  /** Of Tare's own process, and of a process where the clients run; null where it did not run. */
  readonly clock: ClockCost;
  readonly clock_of_client: ClockCost | null;
  /** The kernel's clock; null where it does not say. */
  readonly clock_source: string | null;
  readonly cpu_governor: string | null;
  /**
   * 200 bytes over a TCP loopback connection between two processes, from just before the write to the reader’s first sight of them, each
   * on the cores of the audit; null where it was not measured, with the reason in `note`.
   */
  readonly to_target: DelaySpread | null;
  readonly to_client: DelaySpread | null;
  /** How much later than asked a process’s sleep of 1 ms ended: the timer and the scheduler. */
  readonly wake_up: DelaySpread | null;
  /** Of all CPUs of the machine, over the measurement; its steps are 10 ms of CPU time. */
  readonly steal_share: number | null;
  readonly target_cpus: readonly number[] | null;
  readonly client_cpus: readonly number[] | null;
  readonly elapsed_ms: number;
  /** Why a part is missing; empty where none is. */
  readonly note: string;
}

export interface MachineOptions {
  readonly launcher: Launcher;
  /** Where target and clients run; null: anywhere. */
  readonly targetCpus: readonly number[] | null;
  readonly clientCpus: readonly number[] | null;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly sources?: HostSources;
  readonly exchanges?: number;
}

interface Ticks {
  readonly steal: number;
  readonly total: number;
}

function ticksOf(sources: HostSources): Ticks | null {
  const fields = /^cpu +(.+)$/m
    .exec(sources.readText('/proc/stat') ?? '')?.[1]
    ?.split(/\s+/)
    .map(Number);
  if (fields === undefined || fields.length < 8 || !fields.every(Number.isFinite)) return null;
  return { steal: fields[7]!, total: fields.slice(0, 8).reduce((sum, ticks) => sum + ticks, 0) };
}

/** Waits for a whole first line in a file; null where it does not come in time. */
async function firstLine(file: string, signal: AbortSignal | undefined): Promise<string | null> {
  for (let waited = 0; waited < READY_MS && signal?.aborted !== true; waited += POLL_MS) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const end = text.indexOf('\n');
    if (end > 0) return text.slice(0, end);
    await sleep(POLL_MS);
  }
  return null;
}

/** The asking end’s printed result, or why there is none. */
async function exchange(
  options: MachineOptions,
  dir: string,
): Promise<{ text: string } | { reason: string }> {
  const { launcher, targetCpus, clientCpus, signal } = options;
  const spec = (name: string, words: string[], cpus: readonly number[] | null): LaunchSpec => ({
    argv: [process.execPath, entry('src/system/loopback-probe.js'), ...words],
    cwd: dir,
    stdoutFile: join(dir, `${name}.stdout.txt`),
    stderrFile: join(dir, `${name}.stderr.txt`),
    deadlineMs: 3 * READY_MS,
    graceMs: 200,
    ...(cpus === null ? {} : { cpus }),
  });
  const echoSpec = spec('echo', ['echo'], targetCpus);
  const echo = launcher.launch(echoSpec);
  const abort = () => echo.stop();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const port = await firstLine(echoSpec.stdoutFile, signal);
    if (port === null) return { reason: 'the answering process did not start' };
    const askSpec = spec('ask', ['ask', port, String(options.exchanges ?? EXCHANGES)], clientCpus);
    const { end, exitCode } = await launcher.launch(askSpec).done;
    if (exitCode !== 0) return { reason: `the asking process ended with ${exitCode ?? end}` };
    return { text: await readFile(askSpec.stdoutFile, 'utf8') };
  } finally {
    signal?.removeEventListener('abort', abort);
    echo.stop();
    await echo.done;
  }
}

/** Takes about a second. Never throws for a part that cannot be measured: that is null, with the reason. */
export async function measureMachine(options: MachineOptions): Promise<MachineFloor> {
  const clock = options.clock ?? monotonicClock;
  const sources = options.sources ?? realSources;
  const startNs = clock.now();
  const before = ticksOf(sources);
  const dir = await mkdtemp(join(tmpdir(), 'tare-floor-'));
  let outcome: Awaited<ReturnType<typeof exchange>>;
  try {
    outcome = await exchange(options, dir);
  } catch (error) {
    outcome = { reason: (error as Error).message };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  const after = ticksOf(sources);
  const probe = 'text' in outcome ? parseProbe(outcome.text) : null;
  const governor = `/sys/devices/system/cpu/cpu${options.clientCpus?.[0] ?? 0}/cpufreq/scaling_governor`;
  return {
    clock: clockCost(() => clock.now(), clockResolutionNs),
    clock_of_client: probe?.clock ?? null,
    clock_source:
      sources.readText('/sys/devices/system/clocksource/clocksource0/current_clocksource')?.trim() || null,
    cpu_governor: sources.readText(governor)?.trim() || null,
    to_target: spreadOf(probe?.to_target_us ?? []),
    to_client: spreadOf(probe?.to_client_us ?? []),
    wake_up: spreadOf(probe?.wake_up_us ?? []),
    steal_share:
      before === null || after === null || after.total <= before.total
        ? null
        : Math.max(0, after.steal - before.steal) / (after.total - before.total),
    target_cpus: options.targetCpus,
    client_cpus: options.clientCpus,
    elapsed_ms: (clock.now() - startNs) / 1e6,
    note: probe !== null ? '' : 'reason' in outcome ? outcome.reason : 'the asking process printed no result',
  };
}
