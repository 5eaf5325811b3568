/** Which cores the target and the clients run on. */
import { formatCpuList } from './cpu-list.ts';
import type { HostInfo } from './host.ts';

export { formatCpuList, parseCpuList } from './cpu-list.ts';

export interface Partition {
  /** null: not pinned. */
  readonly targetCpus: readonly number[] | null;
  readonly clientCpus: readonly number[] | null;
  /** For the provenance: what was done, or why it was not. */
  readonly note: string;
}

/**
 * The target gets the first allowed core to itself (with its hyperthreads, where there are others left), the clients all others.
 * Needs taskset and two allowed CPUs.
 */
export function partitionCpus(host: Pick<HostInfo, 'allowed_cpus' | 'taskset' | 'hyperthreads'>): Partition {
  const allowed = [...host.allowed_cpus].sort((a, b) => a - b);
  const unpinned = (note: string): Partition => ({ targetCpus: null, clientCpus: null, note });
  if (allowed.length === 0) return unpinned('not pinned: which CPUs are allowed is unknown');
  if (allowed.length === 1) return unpinned(`not pinned: only CPU ${allowed[0]} is allowed, so all share it`);
  if (host.taskset === null) {
    return unpinned('not pinned: there is no taskset (util-linux), so target and clients share all cores');
  }
  const first = allowed[0]!;
  const siblings = host.hyperthreads?.find((core) => core.includes(first)) ?? [first];
  const ofFirstCore = allowed.filter((cpu) => siblings.includes(cpu));
  const shared = ofFirstCore.length === allowed.length;
  const targetCpus = shared ? [first] : ofFirstCore;
  const clientCpus = allowed.filter((cpu) => !targetCpus.includes(cpu));
  return {
    targetCpus,
    clientCpus,
    note:
      `target on CPU ${formatCpuList(targetCpus)}, clients on ${formatCpuList(clientCpus)}` +
      (shared ? '; these are hyperthreads of one core and slow each other' : ''),
  };
}

/** The command line that runs `argv` on `cpus` only. */
export const withTaskset = (argv: readonly string[], cpus: readonly number[]): string[] => [
  'taskset',
  '-c',
  formatCpuList(cpus),
  ...argv,
];
