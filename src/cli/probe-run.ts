/** What `tare probe` does: every probe on every client, then the matrix. */
import { resolve } from 'node:path';
import Table from 'cli-table3';
import { loadProbes } from '../../probes/catalogue.ts';
import { withoutTicks } from '../../reports/probe/code-html.ts';
import { shownProbe } from '../../reports/probe/shown.ts';
import { probeTable } from '../../reports/probe/table.ts';
import { writeProbeReports } from '../../reports/probe/write.ts';
import {
  PROBE_SCHEMA,
  type ProbeCell,
  type ProbeDocument,
  type ProbedClient,
} from '../audit/probe/document.ts';
import type { Scripted } from '../audit/probe/judge-rows.ts';
import type { ProbeContext } from '../audit/probe/launch.ts';
import { loadRunner } from '../audit/probe/load/context.ts';
import { probeClient } from '../audit/probe/session.ts';
import type { ProbeEvent } from '../audit/probe/session-input.ts';
import { REFERENCE_MODEL } from '../audit/target-reference.ts';
import type { NamedProbe } from '../measure/probe/probe.ts';
import { readHost } from '../system/host.ts';
import { partitionCpus } from '../system/pinning.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { chooseClients, keepClientFiles } from './client-choice.ts';
import { clientsHere } from './clients-here.ts';
import { defaultFolder, makeEmptyFolder } from './default-folder.ts';
import { interruptible } from './interruptible.ts';
import { chosenProbes } from './probe-choice.ts';
import { duration } from './progress.ts';

/** The flags of `tare probe`, parsed. */
export interface ProbeFlags {
  client?: string[];
  only?: string[];
  load: boolean;
  list: boolean;
  seed: number;
  pin: boolean;
  out?: string;
  json: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** `--list`: the probes there are. */
function list(probes: readonly NamedProbe[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(probes.map(shownProbe))}\n`);
    return;
  }
  const table = new Table({
    head: ['probe', 'group', 'what the target does'],
    style: { head: [], border: [], compact: true },
  });
  table.push(...probes.map(({ id, group, title }) => [id, group, withoutTicks(title)]));
  process.stdout.write(`${table.toString()}\n`);
}

/** A line a run and a line a finding, while it goes on. */
function tell(event: ProbeEvent): void {
  if (event.kind === 'run') {
    const { id, probes, elapsed_s, failure, end } = event.run;
    const many = probes.length === 1 ? '' : ` (${probes.length} probes)`;
    say(
      `  ${id}${many}: ${elapsed_s.toFixed(1)} s${failure === null ? '' : `, it ${end}: ${failure.split('\n')[0]}`}`,
    );
    return;
  }
  const { verdict, probe, words } = event.cell;
  if (verdict !== 'right' && verdict !== 'not applicable')
    say(`  ${probe}: ${verdict}: ${withoutTicks(words)}`);
}

/** 0: nothing faulty; 3: something is; 4: cut short or something undetermined; 5: nothing could be judged. */
export function probeExitCode(cells: readonly ProbeCell[], finished: boolean): number {
  if (cells.some(({ verdict }) => verdict === 'faulty' || verdict === 'crashed')) return EXIT.outOfTolerance;
  const judged = cells.filter(({ verdict }) => verdict !== 'undetermined' && verdict !== 'not applicable');
  if (judged.length === 0) return EXIT.harnessInvalid;
  return finished && cells.every(({ verdict }) => verdict !== 'undetermined') ? EXIT.fine : EXIT.undetermined;
}

/** Runs the command. */
export async function runProbeCommand(flags: ProbeFlags): Promise<void> {
  const probes = await chosenProbes(flags.only, flags.load);
  if (flags.list) return list(flags.only === undefined ? await loadProbes() : probes, flags.json);
  const { signal } = interruptible();
  const choice = chooseClients(flags.client ?? null);
  const here = await clientsHere(choice);
  if (here.length === 0)
    throw new UserError('no client can run here: install one, e.g. `tare setup asyncio`.');
  const path = resolve(flags.out ?? defaultFolder('probe', new Date()));
  await makeEmptyFolder(path);
  await keepClientFiles(path, choice);
  const host = await readHost();
  const cpus = flags.pin
    ? partitionCpus(host)
    : { targetCpus: null, clientCpus: null, note: 'not pinned: --no-pin' };
  const context: ProbeContext = {
    launcher: processGroupLauncher,
    path,
    model: REFERENCE_MODEL,
    // Probes are told apart by tens of ms: a client is better off with every core to start on.
    targetCpus: null,
    clientCpus: null,
    seed: flags.seed,
    signal,
  };
  const pinned = { ...context, targetCpus: cpus.targetCpus, clientCpus: cpus.clientCpus };
  const all = new Map((await loadProbes()).map((probe) => [probe.id, probe]));
  const note = probes.some(({ scope }) => scope === 'load')
    ? `not pinned; probes of load: ${cpus.note}`
    : 'not pinned';
  const load = probes.some(({ scope }) => scope === 'load') ? await loadRunner(pinned, cpus.note) : null;
  const startedAt = new Date();
  const began = performance.now();
  const clients: ProbedClient[] = [];
  const cells: ProbeCell[] = [];
  say(
    `tare probe: ${here.length} ${here.length === 1 ? 'client' : 'clients'}, ${probes.length} ${probes.length === 1 ? 'probe' : 'probes'}; ${note}`,
  );
  for (const [i, { adapter, found }] of here.entries()) {
    if (signal.aborted) break;
    say(`[${i + 1}/${here.length}] ${adapter.name} ${found.version}`);
    const result = await probeClient({
      adapter,
      found,
      probes,
      probeOf: (id) => all.get(id) as Scripted,
      context,
      loadRunner: load,
      onEvent: tell,
    });
    const file = choice.fromFiles.find((one) => one.name === adapter.name)?.home.file;
    clients.push(file === undefined || file === null ? result.client : { ...result.client, file });
    cells.push(...result.cells);
    say(`  ${adapter.name}: ${duration(result.client.elapsed_s)}`);
  }
  const document: ProbeDocument = {
    schema: PROBE_SCHEMA,
    tare_version: version,
    started_at: startedAt.toISOString(),
    elapsed_s: Math.round((performance.now() - began) / 10) / 100,
    state: signal.aborted ? 'interrupted' : 'finished',
    not_run: here.slice(clients.length).map(({ adapter }) => adapter.name),
    host,
    pinning_note: note,
    seed: flags.seed,
    load: load !== null,
    clients,
    probes: probes.map(shownProbe),
    cells,
  };
  const files = await writeProbeReports(document, path);
  say(probeTable(document, { color: process.stderr.isTTY === true, width: process.stderr.columns ?? 120 }));
  say(`${path}: ${files.join(', ')}`);
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  process.exitCode = probeExitCode(cells, !signal.aborted);
}
