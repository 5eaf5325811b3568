import { describe, expect, it } from 'vitest';
import { type HostSources, readHost, realSources } from '../../src/system/host.ts';

const FILES: Readonly<Record<string, string>> = {
  '/etc/os-release': 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
  '/proc/self/status': 'Name:\tnode\nCpus_allowed:\t0000000d\nCpus_allowed_list:\t0,2-3\n',
  '/proc/self/limits':
    'Limit                     Soft Limit           Hard Limit           Units     \nMax open files            1024                 524288               files     \n',
  '/proc/meminfo': 'MemTotal: 16 kB\nSwapTotal:       2097152 kB\nSwapFree:        1572864 kB\n',
  '/proc/loadavg': '1.25 0.50 0.10 1/123 456\n',
  '/proc/sys/net/ipv4/ip_local_port_range': '32768\t60999\n',
  '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n',
  '/sys/devices/system/cpu/cpu0/topology/thread_siblings_list': '0,2\n',
  '/sys/devices/system/cpu/cpu2/topology/thread_siblings_list': '0,2\n',
  '/sys/devices/system/cpu/cpu3/topology/thread_siblings_list': '1,3\n',
};

const sources = (more: Partial<HostSources> = {}): HostSources => ({
  readText: (path) => FILES[path] ?? null,
  run: async ([program]) =>
    ({ getconf: 'glibc 2.36', python3: 'Python 3.11.7' })[program as 'getconf' | 'python3'] ?? null,
  which: (program) => `/usr/bin/${program}`,
  ...more,
});

describe('facts of the host', () => {
  it('are what the kernel and the programs say', async () => {
    expect(await readHost(sources())).toMatchObject({
      os: 'Debian GNU/Linux 12 (bookworm)',
      allowed_cpus: [0, 2, 3],
      swap_used_mb: 512,
      cpu_governor: 'powersave',
      load_1m: 1.25,
      open_files_limit: 1024,
      ephemeral_ports: 28_232,
      glibc: '2.36',
      python: '3.11.7',
      taskset: '/usr/bin/taskset',
      hyperthreads: [[0, 2], [3]],
    });
  });

  it('are null where nobody says, and nothing throws', async () => {
    const silent: HostSources = {
      readText: () => null,
      run: () => Promise.reject(new Error('no')),
      which: () => null,
    };
    expect(await readHost(silent)).toMatchObject({
      swap_used_mb: null,
      cpu_governor: null,
      load_1m: null,
      open_files_limit: null,
      ephemeral_ports: null,
      glibc: null,
      python: null,
      taskset: null,
      hyperthreads: null,
    });
  });

  it('are null where what is said is no figure', async () => {
    const odd: Record<string, string> = {
      '/proc/self/limits': 'Max open files            unlimited            unlimited            files\n',
      '/proc/meminfo': 'SwapTotal: many\n',
      '/proc/loadavg': '',
      '/proc/sys/net/ipv4/ip_local_port_range': 'all',
      '/proc/self/status': 'Cpus_allowed_list:\tany\n',
    };
    const host = await readHost(
      sources({ readText: (path) => odd[path] ?? null, run: async () => 'command not found' }),
    );
    expect(host).toMatchObject({
      open_files_limit: null,
      swap_used_mb: null,
      load_1m: null,
      ephemeral_ports: null,
      glibc: null,
      python: null,
    });
    expect(host.allowed_cpus).toHaveLength(host.cores);
  });

  it.each([
    ['ldd (Debian GLIBC 2.36-9+deb12u4) 2.36\nCopyright', '2.36'],
    ['ldd (GNU libc) 2.28\nCopyright', '2.28'],
    ['musl libc (x86_64)\nVersion 1.2.4', null],
  ])('glibc by ldd where there is no getconf: %j', async (words, version) => {
    const run = async ([program]: readonly string[]) => (program === 'ldd' ? words : null);
    expect((await readHost(sources({ run }))).glibc).toBe(version);
  });

  it('of this machine can be had', async () => {
    const host = await readHost();
    expect(host.node).toBe(process.versions.node);
    expect(host.allowed_cpus.length).toBeGreaterThan(0);
    expect(host.cores).toBeGreaterThanOrEqual(host.allowed_cpus.length);
    expect(host.memory_mb).toBeGreaterThan(0);
  });

  it('a program that is missing or fails is no answer', async () => {
    expect(await realSources.run(['tare-no-such-program'])).toBeNull();
    expect(await realSources.run(['/bin/sh', '-c', 'echo 1.0; exit 1'])).toBeNull();
    expect(await realSources.run(['/bin/sh', '-c', 'echo out; echo err >&2'])).toBe('out\nerr');
    expect(realSources.which('tare-no-such-program')).toBeNull();
  });
});
