/** What `tare gate` does with clients: plan, run, judge, report. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { tareBlockingAdapter } from '../../adapters/tare/adapter.ts';
import { plain } from '../../reports/gate/words.ts';
import { buildGate } from '../audit/gate/build.ts';
import { type GateEvent, runGate } from '../audit/gate/run.ts';
import { planBytes } from '../audit/plan.ts';
import { ResultsFolder } from '../audit/results.ts';
import { formatTolerance } from '../measure/envelope/tolerance.ts';
import { requireSpace } from '../system/disk.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { version } from '../system/version.ts';
import { plannedWords } from './audit-run.ts';
import { keepClientFiles } from './client-choice.ts';
import type { GateFlags } from './gate-flags.ts';
import { type GateJob, gateJob } from './gate-job.ts';
import { gateOutputs, requireWritable } from './gate-outputs.ts';
import { interruptible } from './interruptible.ts';
import { refuseSameFile } from './load-paths.ts';
import { duration, floorEventLine } from './progress.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** An event in a line; null for one without. */
export function gateLine(event: GateEvent): string | null {
  switch (event.kind) {
    case 'floorStart':
    case 'floorEnd':
      return floorEventLine(event);
    case 'trialStart':
      return null;
    case 'trialEnd': {
      const { client, workload, repetition, elapsed_s, outcome, reported } = event.trial;
      const ttft = reported?.metrics.ttft.p50_ms;
      const figure = ttft == null ? '' : `, TTFT p50 ${ttft.toFixed(2)} ms`;
      const ended = outcome.kind === 'measured' ? '' : ` [${outcome.kind}: ${plain(outcome.reason)}]`;
      const out = event.leftOut === null ? '' : ` (left out: ${plain(event.leftOut)})`;
      return `${client} at ${workload.rateRps}/s, repetition ${repetition}: ${elapsed_s.toFixed(1)} s${figure}${ended}${out}; ${duration(event.leftS)} of the budget left`;
    }
    case 'settled':
      return `${event.client} at ${event.rate_rps}/s is decided`;
  }
}

function announce(job: GateJob): void {
  const { plan, tolerance, baseline, against } = job;
  const gated = plan.clients.filter((name) => name !== against);
  say(
    `tare gate: ${gated.join(', ')} at ${plan.rates_rps.join(', ')} requests/s${against === null ? '' : `, beside ${against}`}; repetitions of ${plan.duration_s} s, at least 3, about ${duration(job.leastS)}, at most ${duration(job.budgetS)}`,
  );
  say(`within tolerance: ${formatTolerance(tolerance)}`);
  const others = Object.keys(plan.arrivals_otherwise);
  say(
    `latency ${plan.latency}, ${plan.output_tokens} tokens, ${plan.arrivals} arrivals${others.length > 0 ? ` (Poisson for ${others.join(', ')})` : ''}; ${plan.pinning_note}`,
  );
  if (baseline !== null)
    say(
      baseline.refused === null
        ? `compared with ${plain(baseline.from)} of ${plain(baseline.started_at)}${baseline.note === undefined ? '' : ` (${baseline.note})`}`
        : `warning: not compared with ${plain(baseline.from)}: ${plain(baseline.refused)}${job.baselineOptional ? '' : '; so it cannot pass (--baseline-optional lets it)'}`,
    );
  if (job.isBaselineMissing) say('the baseline is not there yet: nothing is compared with it');
  for (const warning of job.warnings) say(plannedWords(warning));
}

/** Runs the command. */
export async function runGateCommand(flags: GateFlags): Promise<void> {
  refuseSameFile([['--junit', flags.junit]], [['--baseline', flags.baseline]]);
  await requireWritable(flags);
  const job = await gateJob(flags);
  announce(job);
  if (flags.dryRun) {
    say('Nothing was sent.');
    return;
  }
  const { signal } = interruptible();
  const startedAt = new Date().toISOString();
  const kept = flags.out === undefined ? null : resolve(flags.out);
  const path = kept ?? (await mkdtemp(join(tmpdir(), 'tare-gate-')));
  requireSpace(path, planBytes({ ...job.plan, repetitions: 6 }));
  const folder = await ResultsFolder.create(path);
  try {
    await keepClientFiles(path, job.choice);
    const input = {
      ...job,
      floorAdapter: tareBlockingAdapter,
      folder,
      launcher: processGroupLauncher,
      signal,
      onEvent(event: GateEvent) {
        const line = gateLine(event);
        if (line !== null) say(line);
      },
      nowS: () => performance.now() / 1000,
    };
    const run = await runGate(input);
    const finishedAt = new Date().toISOString();
    const { document, audit } = buildGate(input, run, { version, startedAt, finishedAt });
    if (kept !== null) await folder.write(audit);
    await gateOutputs(document, flags);
    if (kept !== null) say(`${kept}: gate.json, and every repetition; tare report ${kept} draws them`);
  } finally {
    if (kept === null) await rm(path, { recursive: true, force: true });
  }
}
