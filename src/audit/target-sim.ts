/** llm-d-inference-sim as a target: a fresh process a trial, its delays configured, no ledger. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { simCommand } from '../../simulators/llm-d-inference-sim/command.ts';
import { findFreePort } from '../system/ports.ts';
import { type Counters, exportedBetween, readCounters } from './exported.ts';
import type { RunningTarget, TargetOptions, TargetSource } from './target.ts';

const READY_MS = 20_000;
const STOP_MS = 5_000;
/** How long it may take until no request runs there any more, and until its counters have caught up. */
const QUIET_MS = 2_000;

/** Its TTFT histogram holds the delays that it drew; what it gave is in the one of the prefill. */
const TTFT_SERIES = 'prefill';

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
}

/** Its counters when nothing runs and two readings agree: it counts behind the answers, in a thread of its own. */
async function settledCounters(url: string): Promise<Counters | null> {
  let last: Counters | null = null;
  for (const until = Date.now() + QUIET_MS; Date.now() < until; await sleep(50)) {
    const now = await readCounters(url);
    if (now === null) return last;
    if ((now.running ?? 0) === 0 && last !== null && now.answered === last.answered) return now;
    last = now;
  }
  return last;
}

async function start(program: string, options: TargetOptions): Promise<RunningTarget> {
  const { launcher, workload, dir, cpus } = options;
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const stderrFile = join(dir, 'target.stderr.txt');
  const running = launcher.launch({
    argv: simCommand({
      program,
      port,
      model: options.model,
      latency: workload.latency,
      seed: workload.seed,
      promptTokens: workload.promptTokens,
      outputTokens: workload.outputTokens,
      most: options.capacity,
    }),
    cwd: dir,
    stdoutFile: join(dir, 'target.stdout.txt'),
    stderrFile,
    deadlineMs: options.deadlineMs + READY_MS + STOP_MS,
    graceMs: STOP_MS,
    ...(cpus === null ? {} : { cpus }),
  });
  let ended: string | null = null;
  const done = running.done.then((result) => {
    ended = result.end;
    return result;
  });
  let ready = false;
  for (const until = Date.now() + READY_MS; !ready && ended === null && Date.now() < until; await sleep(20))
    ready = await isReady(url);
  if (!ready || ended !== null) {
    running.stop();
    await done;
    // With a bad configuration it ends with exit code 0: its words tell.
    const words = (await readFile(stderrFile, 'utf8').catch(() => '')).trim().split('\n').slice(-2).join(' ');
    throw new Error(`llm-d-inference-sim did not become ready: ${words || 'it gave no reason'}`);
  }
  const before = await readCounters(url);
  return {
    url,
    ledgerFile: null,
    async stop() {
      const died = ended;
      const after = died === null ? await settledCounters(url) : null;
      running.stop();
      await done;
      return {
        failure: died === null ? null : `llm-d-inference-sim ended during the trial (${died})`,
        exported: exportedBetween(before, after, TTFT_SERIES),
      };
    },
  };
}

export const simTarget = (program: string): TargetSource => ({ start: (options) => start(program, options) });
