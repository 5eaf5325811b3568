import { describe, expect, it } from 'vitest';
import type { HostInfo } from '../../src/system/host.ts';
import { adviseOnHost } from '../../src/system/host-advice.ts';

const good: HostInfo = {
  os: 'Debian',
  kernel: '6',
  arch: 'x64',
  cpu_model: 'c',
  cores: 8,
  allowed_cpus: [0, 1, 2, 3, 4, 5, 6, 7],
  memory_mb: 1,
  swap_used_mb: 0,
  cpu_governor: 'performance',
  load_1m: 0.1,
  open_files_limit: 65536,
  ephemeral_ports: 28232,
  glibc: '2.36',
  node: '20',
  python: '3.12.1',
  taskset: '/usr/bin/taskset',
};
const codes = (change: Partial<HostInfo>) =>
  adviseOnHost({ ...good, ...change }).map((advice) => advice.code);

describe('adviseOnHost', () => {
  it('has nothing to say of a good machine, nor of facts that are unknown', () => {
    expect(codes({})).toEqual([]);
    expect(
      codes({ cpu_governor: null, load_1m: null, open_files_limit: null, ephemeral_ports: null }),
    ).toEqual([]);
  });

  it.each([
    [{ allowed_cpus: [3] }, 'one-core'],
    [{ taskset: null }, 'no-taskset'],
    [{ open_files_limit: 1024 }, 'few-open-files'],
    [{ ephemeral_ports: 1000 }, 'few-ports'],
    [{ cpu_governor: 'powersave' }, 'cpu-governor'],
    [{ load_1m: 2 }, 'busy-machine'],
    [{ load_1m: 0.5, allowed_cpus: [0, 1] }, 'busy-machine'],
    [{ python: null }, 'no-python'],
  ] as [Partial<HostInfo>, string][])('%j: %s', (change, code) => {
    expect(codes(change)).toEqual([code]);
  });

  it('takes the load against the cores that may be used', () => {
    expect(codes({ load_1m: 1.9 })).toEqual([]);
    expect(codes({ load_1m: 0.4, allowed_cpus: [0, 1] })).toEqual([]);
  });

  it('each piece of advice has evidence and a remedy', () => {
    for (const advice of adviseOnHost({
      ...good,
      allowed_cpus: [0],
      taskset: null,
      python: null,
      load_1m: 9,
    })) {
      expect(advice.evidence).not.toBe('');
      expect(advice.remedy).not.toBe('');
    }
  });
});
