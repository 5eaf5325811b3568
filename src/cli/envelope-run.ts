/** What `tare envelope` does: prepare or go on, search, report. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tareBlockingAdapter } from '../../adapters/tare/adapter.ts';
import { envelopeTable } from '../../reports/envelope/table.ts';
import { explained } from '../../reports/envelope/why.ts';
import { envelopeJson, writeEnvelopeReports, writeInto } from '../../reports/envelope/write.ts';
import type { EnvelopeDocument } from '../audit/envelope/document.ts';
import { type EnvelopeEvent, runEnvelope } from '../audit/envelope/run.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { EXIT } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { goingOn, plannedWords } from './audit-run.ts';
import type { EnvelopeFlags } from './envelope-flags.ts';
import { type EnvelopeJob, envelopeJob } from './envelope-job.ts';
import { interruptible } from './interruptible.ts';
import { duration, floorEventLine } from './progress.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** An event in a line; null for one without. */
export function eventLine(
  event: EnvelopeEvent,
  budget: number,
  done: (client: string) => number,
): string | null {
  switch (event.kind) {
    case 'floorStart':
    case 'floorEnd':
      return floorEventLine(event);
    case 'trialStart':
      return null;
    case 'trialEnd': {
      const { client, rate_rps, purpose, verdict, reason, elapsed_s } = event.trial;
      const why = reason === '' ? '' : `: ${reason.split('\n')[0]}`;
      const said = verdict === 'target' ? "the target's limit" : verdict;
      return `${client} ${done(client)}/${budget}: ${rate_rps}/s (${purpose}) ${said}${why} (${elapsed_s.toFixed(0)} s; at most ${duration(event.leftS)} left)`;
    }
    case 'clientEnd':
      return `${event.client} is done${event.reason === '' ? '' : ` (${event.reason.split('\n')[0]})`}, ${event.left} to go`;
  }
}

/** 0: every client has an envelope; 3: one holds at no rate; 4: cut short, or one is undetermined; 5: nothing could be measured. */
export function envelopeExitCode({ clients, state }: EnvelopeDocument): number {
  const tried = clients.filter((client) => client.trials > 0);
  const searched = tried.filter((client) => client.state === 'searched');
  if (searched.length === 0) return EXIT.harnessInvalid;
  if (tried.some(({ bracket }) => bracket === null || bracket.state === 'none')) return EXIT.outOfTolerance;
  const open = searched.some(({ bracket }) => bracket!.state === 'undetermined');
  return open || state === 'interrupted' ? EXIT.undetermined : EXIT.fine;
}

function announce(job: EnvelopeJob, flags: EnvelopeFlags): void {
  const { plan, search } = job;
  const { clients } = plan;
  say(
    `tare envelope: ${clients.join(', ')} from ${search.from_rps} to ${search.to_rps} requests/s; at most ${search.budget_trials} trials of ${plan.duration_s} s a client, about ${duration(plan.estimated_s)} at most`,
  );
  say(`within tolerance: ${search.tolerance}`);
  const others = Object.keys(plan.arrivals_otherwise);
  say(
    `latency ${plan.latency}, ${plan.output_tokens} tokens, ${plan.arrivals} arrivals${others.length > 0 ? ` (Poisson for ${others.join(', ')})` : ''}; ${plan.pinning_note}`,
  );
  for (const warning of job.warnings) say(plannedWords(warning));
  if (flags.resume !== undefined)
    say(goingOn(job.folder.path, job.done.judged.length, search.budget_trials * clients.length));
}

/** Runs the command. */
export async function runEnvelopeCommand(flags: EnvelopeFlags): Promise<void> {
  const controller = interruptible();
  const job = await envelopeJob(flags);
  const { folder, plan, search, choice } = job;
  announce(job, flags);
  let last: EnvelopeDocument | null = null;
  const done = (client: string) => last?.trials.filter((trial) => trial.client === client).length ?? 0;
  const { document: found, audit } = await runEnvelope({
    version,
    startedAt: job.started,
    plan,
    search,
    host: job.host,
    clients: job.clients,
    adapters: new Map(plan.clients.map((name) => [name, choice.byName(name)])),
    floorAdapter: tareBlockingAdapter,
    folder,
    launcher: processGroupLauncher,
    signal: controller.signal,
    done: job.done,
    floor: job.floor,
    warnings: job.warnings,
    onEvent(event) {
      const line = eventLine(event, search.budget_trials, done);
      if (line !== null) say(line);
    },
    async save(document, asAudit) {
      last = document;
      // --resume finds a folder by it; the whole of it is written at the end.
      if (!existsSync(join(folder.path, 'audit.json'))) await folder.write(asAudit());
      await writeInto(folder.path, [envelopeJson(document)]);
    },
    nowS: () => performance.now() / 1000,
  });
  const document = explained(found, audit);
  const files = await writeEnvelopeReports(document, audit, folder.path);
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  say(envelopeTable(document, { color: process.stderr.isTTY === true }));
  say(`${folder.path}: ${files.join(', ')}; tare report ${folder.path} draws the bias of all its trials`);
  if (document.state === 'interrupted')
    say(`Not finished. Go on with: tare envelope --resume ${folder.path}`);
  process.exitCode = envelopeExitCode(document);
}
