/** One launch of a client against the probe target: what it left, and what was sent to it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter, ClientReport, Found, Parsed } from '../../../adapters/contract.ts';
import { M } from '../../../probes/kit/profile.ts';
import type { Workload } from '../../measure/workload.ts';
import type { Launcher, LaunchResult } from '../../system/launcher.ts';
import { Secrets } from '../../system/secrets.ts';
import { cpuTicks, stealBetween } from '../../system/steal.ts';
import { UserError } from '../../system/user-error.ts';
import { type ProbeLedger, readProbeLedger } from '../../truth/probe-ledger.ts';
import type { ProbeRun } from './document.ts';
import { probeTarget } from './target.ts';

/** What all launches of a probing share. */
export interface ProbeContext {
  readonly launcher: Launcher;
  /** The results folder. */
  readonly path: string;
  readonly model: string;
  readonly targetCpus: readonly number[] | null;
  readonly clientCpus: readonly number[] | null;
  readonly seed: number;
  readonly signal: AbortSignal;
}

export interface ProbeLaunch {
  readonly run: ProbeRun;
  readonly report: ClientReport | null;
  /** Why there is no report, and whether the client says so itself: it ran and found that nothing succeeded. */
  readonly parsed: Parsed | null;
  readonly client: LaunchResult | null;
  readonly ledger: ProbeLedger | null;
}

export interface LaunchPlan {
  /** Name of its folder below the client's. */
  readonly id: string;
  /** Probe of each request in turn. */
  readonly slots: readonly string[];
  readonly requests: number;
  readonly rateRps: number;
  readonly outputTokens: number;
  /** How long its slowest answer takes, s. */
  readonly slowestS: number;
}

/** Seconds that a client may take before it counts as hung. */
const deadlineS = (adapter: Adapter, plan: LaunchPlan, durationS: number): number =>
  15 + 3 * (adapter.facts.startupS + adapter.facts.teardownS) + durationS + plan.slowestS;

const DECODE_MS = M.itlMs.reduce((sum, gap) => sum + gap, 0) / M.itlMs.length;

export function workloadOf(adapter: Adapter, plan: LaunchPlan, seed: number): Workload {
  const kind = adapter.facts.arrivals.includes('constant') ? 'constant' : 'poisson';
  return {
    rateRps: plan.rateRps,
    requests: plan.requests,
    durationS: plan.requests / plan.rateRps,
    arrivals: { kind },
    promptTokens: 16,
    outputTokens: plan.outputTokens,
    // Nothing draws from it: clients that take a number of users or connections want to know how long an answer takes.
    latency: `ttft=${M.ttftMs}ms,itl=${DECODE_MS}ms`,
    seed,
  };
}

const endWords = ({ end, exitCode, signal, startedNs, endedNs, failure }: LaunchResult): string => {
  const seconds = ((endedNs - startedNs) / 1e9).toFixed(0);
  if (end === 'notStarted') return `was not started: ${failure ?? 'no reason given'}`;
  if (end === 'timedOut') return `did not end by itself, and was ended after ${seconds} s`;
  if (end === 'interrupted') return 'was interrupted';
  return exitCode === null ? `was ended by ${signal}` : `exited with ${exitCode}`;
};

const REASON_LENGTH = 200;

/** What the parser says, cut, since all that the client left is kept; and whether it asked at all. */
function brief(reason: string, ledger: ProbeLedger | null): string {
  const characters = [...reason.trim()];
  const said =
    characters.length <= REASON_LENGTH
      ? characters.join('')
      : `${characters.slice(0, REASON_LENGTH - 1).join('')}…`;
  return ledger?.requests.length === 0 ? `the target saw no request of it; ${said}` : said;
}

/** How late the target's writes were, worst of all, ms; null where it wrote nothing. */
export function latestMs(ledger: ProbeLedger | null): number | null {
  let worst: number | null = null;
  for (const { writes } of ledger?.requests ?? [])
    for (const { due_ns, at_ns } of writes) worst = Math.max(worst ?? 0, (at_ns - due_ns) / 1e6);
  return worst;
}

/** Runs a client once. A failure of client or target is in what it returns. */
export async function launchProbes(
  adapter: Adapter,
  found: Found,
  plan: LaunchPlan,
  context: ProbeContext,
): Promise<ProbeLaunch> {
  const { launcher, signal, targetCpus, clientCpus, model } = context;
  const dir = join(context.path, 'runs', adapter.name, plan.id);
  const clientDir = join(dir, 'client');
  await mkdir(clientDir, { recursive: true });
  const workload = workloadOf(adapter, plan, context.seed);
  const deadlineMs = deadlineS(adapter, plan, workload.durationS) * 1000;
  const stdoutFile = join(dir, 'client.stdout.txt');
  const stderrFile = join(dir, 'client.stderr.txt');
  const secrets = new Secrets();
  const started = process.hrtime.bigint();
  const before = cpuTicks();
  const base = {
    id: plan.id,
    probes: [...new Set(plan.slots)],
    requests: plan.requests,
    rate_rps: plan.rateRps,
  };
  const elapsed = (): number => Number((process.hrtime.bigint() - started) / 10_000_000n) / 100;
  const failed = (failure: string): ProbeLaunch => ({
    run: {
      ...base,
      elapsed_s: elapsed(),
      command: [],
      exit_code: null,
      end: 'was not run',
      failure: secrets.text(failure),
      late_ms: null,
      steal_share: null,
    },
    report: null,
    parsed: null,
    client: null,
    ledger: null,
  });
  const target = await probeTarget(plan.slots, adapter.facts.definitions.warmupRequests)
    .start({ launcher, model, dir, cpus: targetCpus, deadlineMs })
    .catch((error: Error) => error);
  if (target instanceof Error) return failed(target.message);
  let client: LaunchResult;
  try {
    const command = await adapter.prepare({
      workload,
      url: target.url,
      model,
      dir: clientDir,
      found,
      workers: null,
      cpus: clientCpus,
    });
    secrets.add(command.secrets ?? []);
    const running = launcher.launch({
      argv: command.argv,
      cwd: command.cwd,
      ...(command.env === undefined ? {} : { env: command.env }),
      stdoutFile,
      stderrFile,
      deadlineMs,
      ...(clientCpus === null ? {} : { cpus: clientCpus }),
    });
    const abort = () => running.stop();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    client = await running.done;
    signal.removeEventListener('abort', abort);
  } catch (error) {
    await target.stop();
    if (error instanceof UserError) throw error;
    return failed((error as Error).message);
  }
  const { failure } = await target.stop();
  const parsed = await adapter.parse({
    dir: clientDir,
    stdoutFile,
    stderrFile,
    stdoutBytes: client.stdoutBytes,
    stderrBytes: client.stderrBytes,
    exitCode: client.exitCode,
    workload,
  });
  await secrets.files([clientDir, stdoutFile, stderrFile]);
  const printed = parsed.state === 'unparsable' ? null : (parsed.report ?? null);
  const ledger = failure === null ? await readProbeLedger(target.probeLedgerFile) : null;
  return {
    run: {
      ...base,
      elapsed_s: elapsed(),
      command: secrets.data([...client.argv]),
      exit_code: client.exitCode,
      end: endWords(client),
      failure:
        secrets.text(failure ?? (parsed.state === 'parsed' ? '' : brief(parsed.reason, ledger))) || null,
      late_ms: latestMs(ledger),
      steal_share: stealBetween(before, cpuTicks()),
    },
    report: printed === null ? null : secrets.data(printed),
    parsed,
    client,
    ledger,
  };
}
