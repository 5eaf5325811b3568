/** `tare audit --dry-run`: what every trial of the first repetition would run, without any load. */
import { mkdir, mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Found } from '../../adapters/contract.ts';
import { orderTrials } from '../audit/plan.ts';
import type { Prepared } from '../audit/prepare.ts';
import { Secrets } from '../system/secrets.ts';

/** Stands for a target that Tare starts: its port is chosen when a trial begins. */
export const DRY_URL = 'http://127.0.0.1:8100';

export interface DryTrial {
  readonly id: string;
  readonly client: string;
  readonly rate_rps: number;
  readonly dir: string;
  /** Empty where it could not be prepared: `failure` says why. */
  readonly command: readonly string[];
  readonly failure: string | null;
  /** Changes to the environment; null removes a variable. Secrets are replaced. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Commands that are run after the load, on what it left. */
  readonly after: readonly { readonly command: readonly string[]; readonly stdout: string | null }[];
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly begins: string }[];
}

const BEGINS = 160;

async function filesIn(dir: string): Promise<DryTrial['files']> {
  const names = (await readdir(dir, { recursive: true })).sort();
  const files = [];
  for (const name of names) {
    const file = join(dir, name);
    const found = await stat(file);
    if (!found.isFile()) continue;
    const text = (await readFile(file, 'utf8')).slice(0, BEGINS).split('\n')[0]!;
    files.push({ name, bytes: found.size, begins: text });
  }
  return files;
}

/** Prepares each trial of the first repetition in a temporary folder, which is left for the user to look at. */
export async function dryRun(prepared: Prepared): Promise<DryTrial[]> {
  const { plan, clients, adapters } = prepared;
  const costs = new Map([...adapters].map(([name, adapter]) => [name, adapter.facts]));
  const root = await mkdtemp(join(tmpdir(), 'tare-dry-run-'));
  const trials: DryTrial[] = [];
  for (const planned of orderTrials({ ...plan, repetitions: 1 }, costs)) {
    const adapter = adapters.get(planned.client)!;
    const dir = join(root, planned.id);
    await mkdir(dir);
    const base = { id: planned.id, client: planned.client, rate_rps: planned.rateRps, dir };
    try {
      const command = await adapter.prepare({
        workload: planned.workload,
        url: plan.target.url ?? DRY_URL,
        model: plan.target.model,
        dir,
        found: clients.find(({ name }) => name === planned.client)!.found as Found,
        workers: plan.workers,
        cpus: plan.client_cpus,
      });
      const secrets = new Secrets(command.secrets);
      const env = Object.entries(command.env ?? {}).map(([name, value]): [string, string | null] => [
        name,
        value === null ? null : secrets.text(value),
      ]);
      trials.push({
        ...base,
        command: secrets.data(command.argv),
        failure: null,
        env: Object.fromEntries(env),
        after: (command.after ?? []).map(({ argv, stdout }) => ({
          command: secrets.data(argv),
          stdout: stdout ?? null,
        })),
        files: await filesIn(dir),
      });
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      trials.push({ ...base, command: [], failure, env: {}, after: [], files: await filesIn(dir) });
    }
  }
  return trials;
}

/** A word as a POSIX shell takes it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** A trial for people: what could be pasted into a shell. */
export function describeDryTrial(trial: DryTrial): string {
  const lines = [
    `${trial.client} at ${trial.rate_rps} requests/s (${trial.id})`,
    `  cd ${shellWord(trial.dir)}`,
  ];
  if (trial.failure !== null) lines.push(`  cannot be run: ${trial.failure}`);
  for (const [name, value] of Object.entries(trial.env))
    lines.push(value === null ? `  unset ${name}` : `  export ${name}=${shellWord(value)}`);
  if (trial.command.length > 0) lines.push(`  ${shellLine(trial.command)}`);
  for (const { command, stdout } of trial.after)
    lines.push(
      `  ${shellLine(command)}${stdout === null ? '' : ` > ${shellWord(stdout)}`}   # after the load`,
    );
  for (const { name, bytes, begins } of trial.files) lines.push(`  file ${name}, ${bytes} bytes: ${begins}`);
  return lines.join('\n');
}
