/** `tare doctor`: what is installed, what it would take, and the machine's limits. */
import type { Command } from 'commander';
import type { Adapter, Found, Missing } from '../../adapters/contract.ts';
import { allAdapters } from '../../adapters/registry.ts';
import { cacheRoot } from '../system/cache-folder.ts';
import { type HostInfo, readHost } from '../system/host.ts';
import { type Advice, adviseOnHost } from '../system/host-advice.ts';
import { chooseClients } from './client-choice.ts';
import { columnWidth } from './columns.ts';
import { collect } from './options.ts';

/** What `--json` prints. */
export interface DoctorReport {
  readonly schema: 'tare-doctor/1';
  readonly tare_version: string;
  readonly host: HostInfo;
  readonly cache: string;
  readonly clients: readonly ClientState[];
  readonly advice: readonly Advice[];
}

export type ClientState = { readonly name: string; readonly title: string } & (
  | Omit<Found, 'handle'>
  | Missing
);

/** Looks for one client; an adapter that fails at that is reported, not fatal to the others. */
export async function examine(adapter: Adapter): Promise<ClientState> {
  const { name, title } = adapter;
  try {
    const found = await adapter.find();
    if (found.state === 'missing') return { name, title, ...found };
    const { handle: _handle, ...rest } = found;
    return { name, title, ...rest };
  } catch (error) {
    const reason = `looking for it failed: ${error instanceof Error ? error.message : String(error)}`;
    return { name, title, state: 'missing', reason, remedy: 'see to the cause, then run tare doctor again' };
  }
}

const known = (value: string | number | null): string => (value === null ? 'unknown' : String(value));

function hostLines(host: HostInfo): string[] {
  const pinned = host.allowed_cpus.join(',');
  const swap = host.swap_used_mb === null ? '' : `, ${host.swap_used_mb} MB of swap in use`;
  return [
    `system    ${host.os}, kernel ${host.kernel}, ${host.arch}`,
    `cpu       ${host.cpu_model}; ${host.cores} cores, allowed ${pinned}; governor ${known(host.cpu_governor)}`,
    `memory    ${host.memory_mb} MB${swap}; load ${known(host.load_1m)}`,
    `limits    ${known(host.open_files_limit)} open files, ${known(host.ephemeral_ports)} outgoing ports`,
    `programs  Node ${host.node}, Python ${host.python ?? 'missing'}, glibc ${known(host.glibc)}, taskset ${host.taskset ?? 'missing'}`,
  ];
}

function clientLines(client: ClientState, width: number): string[] {
  const head = `${client.name.padEnd(width)}${client.state.padEnd(9)}`;
  const indent = ' '.repeat(width + 9);
  if (client.state === 'missing') {
    return [`${head}${client.title}: ${client.reason}`, `${indent}→ ${client.remedy}`];
  }
  return [
    `${head}${client.title} ${client.version}`,
    `${indent}${client.path}`,
    `${indent}${client.origin}`,
    ...client.notes.map((note) => `${indent}note: ${note}`),
  ];
}

/** The report for people. */
export function describeReport(report: DoctorReport): string {
  const width = columnWidth(report.clients);
  const lines = [
    `Tare ${report.tare_version}`,
    '',
    'Machine',
    ...hostLines(report.host).map((line) => `  ${line}`),
    ...report.advice.flatMap((advice) => [`  ! ${advice.evidence}`, `    → ${advice.remedy}`]),
    '',
    `Clients (tare setup NAME installs into ${report.cache})`,
    ...report.clients.flatMap((client) => clientLines(client, width)).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Registers `tare doctor`. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('shows which clients are installed, what it would take, and what this machine can do')
    .option('--client <name>', 'only this client, or client file (repeatable)', collect)
    .option('--json', 'one JSON document on stdout')
    .action(async (options: { client?: string[]; json?: boolean }) => {
      const { names, byName } = chooseClients(options.client ?? null);
      const host = await readHost();
      const report: DoctorReport = {
        schema: 'tare-doctor/1',
        tare_version: program.version() ?? 'unknown',
        host,
        cache: cacheRoot(),
        clients: await Promise.all((names?.map(byName) ?? allAdapters).map(examine)),
        advice: adviseOnHost(host),
      };
      if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else process.stderr.write(describeReport(report));
    });
}
