/** What machine this is: the facts that every figure's provenance names. */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { execa } from 'execa';
import { parseCpuList } from './cpu-list.ts';
import { resolveProgram } from './resolve-program.ts';

export interface HostInfo {
  readonly os: string;
  readonly kernel: string;
  readonly arch: string;
  readonly cpu_model: string;
  readonly cores: number;
  /** Cores that this process may run on. */
  readonly allowed_cpus: readonly number[];
  readonly memory_mb: number;
  readonly swap_used_mb: number | null;
  readonly cpu_governor: string | null;
  readonly load_1m: number | null;
  readonly open_files_limit: number | null;
  readonly ephemeral_ports: number | null;
  readonly glibc: string | null;
  readonly node: string;
  readonly python: string | null;
  readonly taskset: string | null;
  /** The allowed CPUs, those of one physical core together; null or absent where that is unknown. */
  readonly hyperthreads?: readonly (readonly number[])[] | null;
}

/** Where the facts come from; handed in by tests. */
export interface HostSources {
  /** A file's text; null where it cannot be read. */
  readText(path: string): string | null;
  /** A program's standard output and error together; null where it cannot be run or fails. */
  run(argv: readonly [string, ...string[]]): Promise<string | null>;
  /** The path of a program on the PATH. */
  which(program: string): string | null;
}

const QUERY_TIMEOUT_MS = 5000;

export const realSources: HostSources = {
  readText(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  },
  async run([program, ...args]) {
    const result = await execa(program, args, {
      all: true,
      reject: false,
      stdin: 'ignore',
      timeout: QUERY_TIMEOUT_MS,
      forceKillAfterDelay: 500,
    });
    return result.failed ? null : result.all;
  },
  which(program) {
    const resolved = resolveProgram(program, '/', process.env.PATH);
    return 'path' in resolved ? resolved.path : null;
  },
};

/** The number that `pattern` captures; null where it does not match. */
function numberIn(text: string | null, pattern: RegExp): number | null {
  const match = text === null ? null : pattern.exec(text);
  const number = match === null ? Number.NaN : Number(match[1]);
  return Number.isFinite(number) ? number : null;
}

const firstMatch = (text: string | null, pattern: RegExp): string | null =>
  (text === null ? null : pattern.exec(text)?.[1]) ?? null;

function allowedCpus(sources: HostSources, cores: number): number[] {
  const list = firstMatch(sources.readText('/proc/self/status'), /^Cpus_allowed_list:\s*(.+)$/m);
  const cpus = list === null ? null : parseCpuList(list);
  return cpus ?? Array.from({ length: cores }, (_, cpu) => cpu);
}

function hyperthreadsOf(sources: HostSources, allowed: readonly number[]): number[][] | null {
  const cores = new Map<string, number[]>();
  for (const cpu of allowed) {
    const list = sources.readText(`/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`)?.trim();
    if (list === undefined || parseCpuList(list) === null) return null;
    cores.set(list, [...(cores.get(list) ?? []), cpu]);
  }
  return [...cores.values()];
}

/** Used swap: null where /proc/meminfo does not tell. */
function swapUsedMb(meminfo: string | null): number | null {
  const total = numberIn(meminfo, /^SwapTotal:\s*(\d+) kB/m);
  const free = numberIn(meminfo, /^SwapFree:\s*(\d+) kB/m);
  return total === null || free === null ? null : Math.round((total - free) / 1024);
}

function ephemeralPorts(sources: HostSources): number | null {
  const range = sources.readText('/proc/sys/net/ipv4/ip_local_port_range');
  const match = range === null ? null : /^(\d+)\s+(\d+)/.exec(range);
  return match === null ? null : Number(match[2]) - Number(match[1]) + 1;
}

async function glibcVersion(sources: HostSources): Promise<string | null> {
  const fromGetconf = firstMatch(await sources.run(['getconf', 'GNU_LIBC_VERSION']), /^glibc (\d[\d.]*)/m);
  if (fromGetconf !== null) return fromGetconf;
  // musl's ldd answers too, with "musl libc" and an exit code of 1.
  return firstMatch(await sources.run(['ldd', '--version']), /^ldd \(.*(?:GLIBC|GNU libc).*\) (\d[\d.]*)$/m);
}

/** Never throws; what cannot be told is null. Runs python3, getconf and, without the latter, ldd. */
export async function readHost(sources: HostSources = realSources): Promise<HostInfo> {
  const quiet = (query: Promise<string | null>): Promise<string | null> => query.catch(() => null);
  const [glibc, python] = await Promise.all([
    quiet(glibcVersion(sources)),
    quiet(sources.run(['python3', '--version'])),
  ]);
  const cpus = os.cpus();
  const allowed = allowedCpus(sources, cpus.length);
  const limits = sources.readText('/proc/self/limits');
  const name = sources.readText('/etc/os-release');
  return {
    os: firstMatch(name, /^PRETTY_NAME="?(.*?)"?$/m) ?? `${os.type()} ${os.release()}`,
    kernel: os.release(),
    arch: os.arch(),
    cpu_model: cpus[0]?.model.trim() || 'unknown',
    cores: cpus.length || allowed.length,
    allowed_cpus: allowed,
    memory_mb: Math.round(os.totalmem() / 2 ** 20),
    swap_used_mb: swapUsedMb(sources.readText('/proc/meminfo')),
    cpu_governor:
      sources.readText(`/sys/devices/system/cpu/cpu${allowed[0] ?? 0}/cpufreq/scaling_governor`)?.trim() ||
      null,
    load_1m: numberIn(sources.readText('/proc/loadavg'), /^(\d+(?:\.\d+)?)/),
    open_files_limit: numberIn(limits, /^Max open files\s+(\d+)/m),
    ephemeral_ports: ephemeralPorts(sources),
    glibc,
    node: process.versions.node,
    python: firstMatch(python, /^Python (\d\S*)/m),
    taskset: sources.which('taskset'),
    hyperthreads: hyperthreadsOf(sources, allowed),
  };
}
