/** What `tare profile` does: every client's layers, its costs into the cache, then a table. */
import { resolve } from 'node:path';
import type { Adapter } from '../../adapters/contract.ts';
import { createTareAdapter, tareAdapter } from '../../adapters/tare/adapter.ts';
import { TARE } from '../../adapters/tare/facts.ts';
import { profileTable } from '../../reports/profile/table.ts';
import { writeProfileReports } from '../../reports/profile/write.ts';
import { leastProfileS, type ProfileEvent, profileClient } from '../audit/profile/client-run.ts';
import { type ClientProfile, PROFILE_SCHEMA, type ProfileDocument } from '../audit/profile/document.ts';
import { costProfileOf } from '../audit/profile/kept.ts';
import type { LayerChoice } from '../audit/profile/layers.ts';
import type { ProfileContext } from '../audit/profile/run.ts';
import { ResultsFolder } from '../audit/results.ts';
import { readHost } from '../system/host.ts';
import { partitionCpus } from '../system/pinning.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { hostKey, writeProfile } from '../system/profile-store.ts';
import { EXIT } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { chooseClients, keepClientFiles } from './client-choice.ts';
import { clientsHere } from './clients-here.ts';
import { defaultFolder } from './default-folder.ts';
import { interruptible } from './interruptible.ts';
import { duration } from './progress.ts';

/** The flags of `tare profile`, parsed. */
export interface ProfileFlags {
  client?: string[];
  layers?: LayerChoice[];
  budgetTime: number;
  workers?: number | null;
  saturation: boolean;
  keep: boolean;
  keepRuns: boolean;
  seed: number;
  pin: boolean;
  out?: string;
  json: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Our client waits in the kernel for its profile: the CPU time of a loop that spins says nothing of its work. */
const profiled = (adapter: Adapter): Adapter =>
  adapter === tareAdapter ? createTareAdapter({ ...TARE, pacing: 'block' }) : adapter;

/** A line a layer and a line a run, while it goes on. */
function tell(event: ProfileEvent): void {
  if (event.kind === 'layer') {
    say(`  ${event.layer.id} (${event.layer.how})`);
    return;
  }
  const { purpose, cell, rate_rps, cost, why } = event.point;
  const figures =
    cost === null
      ? ''
      : ` ${cost.busiest_us.toFixed(0)} µs a request on the busiest thread (${(cost.busiest_share * 100).toFixed(0)} % busy), ${cost.group_us.toFixed(0)} µs on all`;
  say(`    ${purpose} ${cell} at ${rate_rps}/s:${figures}${why === null ? '' : ` [${why}]`}`);
}

/** What is said where the budget of a client cannot be kept; null where it can. */
export function overBudget(
  adapter: Pick<Adapter, 'facts'>,
  flags: Pick<ProfileFlags, 'layers' | 'saturation' | 'budgetTime'>,
): string | null {
  const least = leastProfileS(adapter, { layers: flags.layers ?? [], saturation: flags.saturation });
  if (least.seconds <= flags.budgetTime) return null;
  return `--budget-time ${flags.budgetTime}s cannot be kept: the smallest design of ${least.layers} ${least.layers === 1 ? 'layer' : 'layers'} takes about ${duration(least.seconds)}, pilots with it, and that is what is run; --layers sse-token takes less`;
}

/** 0: every layer that was tried was measured; 4: some were, or it was cut short; 5: none was. */
export function profileExitCode(
  clients: readonly Pick<ClientProfile, 'layers'>[],
  finished: boolean,
): number {
  const layers = clients.flatMap((client) => client.layers);
  if (!layers.some(({ state }) => state === 'measured')) return EXIT.harnessInvalid;
  return finished && layers.every(({ state }) => state !== 'failed' && state !== 'interrupted')
    ? EXIT.fine
    : EXIT.undetermined;
}

/** Runs the command. */
export async function runProfileCommand(flags: ProfileFlags): Promise<void> {
  const { signal } = interruptible();
  const choice = chooseClients(flags.client ?? ['tare']);
  const here = await clientsHere(choice);
  const path = resolve(flags.out ?? defaultFolder('profile', new Date()));
  const folder = await ResultsFolder.create(path);
  await keepClientFiles(path, choice);
  const host = await readHost();
  const cpus = flags.pin
    ? partitionCpus(host)
    : { targetCpus: null, clientCpus: null, note: 'not pinned: --no-pin' };
  const startedAt = new Date();
  const began = performance.now();
  const clients: ClientProfile[] = [];
  say(
    `tare profile: ${here.map(({ adapter }) => adapter.name).join(', ')}; ${cpus.note}; about ${duration(flags.budgetTime)} a client`,
  );
  for (const [i, { adapter, found }] of here.entries()) {
    if (signal.aborted) break;
    say(`[${i + 1}/${here.length}] ${adapter.name} ${found.version}`);
    const budgetWords = overBudget(adapter, flags);
    if (budgetWords !== null) say(`  ${budgetWords}`);
    const context: ProfileContext = {
      launcher: processGroupLauncher,
      folder,
      host,
      cpus,
      seed: flags.seed,
      workers: flags.workers === undefined ? (adapter === tareAdapter ? 1 : null) : flags.workers,
      keepRuns: flags.keepRuns,
      signal,
    };
    const client = await profileClient(
      { adapter: profiled(adapter), found },
      { layers: flags.layers ?? [], budgetS: flags.budgetTime, saturation: flags.saturation },
      context,
      tell,
    );
    const costs = costProfileOf(client, hostKey(host), startedAt.toISOString());
    // What was cut short would take the place of a whole profile.
    const keeps = flags.keep && costs !== null && !signal.aborted;
    const kept_in = keeps ? writeProfile(costs) : null;
    clients.push({ ...client, kept_in });
    say(
      `  ${adapter.name}: ${duration(client.elapsed_s)}${kept_in === null ? '' : `; its costs are kept in ${kept_in}`}`,
    );
  }
  const document: ProfileDocument = {
    schema: PROFILE_SCHEMA,
    tare_version: version,
    started_at: startedAt.toISOString(),
    elapsed_s: Math.round((performance.now() - began) / 10) / 100,
    state: signal.aborted ? 'interrupted' : 'finished',
    host,
    pinning_note: cpus.note,
    target_pacing: 'block',
    client_cores: cpus.clientCpus?.length ?? host.allowed_cpus.length,
    seed: flags.seed,
    clients,
  };
  const files = await writeProfileReports(document, path);
  say(profileTable(document));
  say(`${path}: ${files.join(', ')}`);
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  process.exitCode = profileExitCode(clients, !signal.aborted);
}
