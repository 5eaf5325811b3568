import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCpuList, parseCpuList } from '../../src/system/cpu-list.ts';
import { partitionCpus, withTaskset } from '../../src/system/pinning.ts';

const taskset = '/usr/bin/taskset';

describe('the partition of CPUs', () => {
  it.each([
    { allowed: [0, 1], cores: null, target: [0], clients: [1] },
    { allowed: [0, 1, 2, 3], cores: [[0], [1], [2], [3]], target: [0], clients: [1, 2, 3] },
    // Hyperthreads: the target's core is its own, both of its CPUs.
    {
      allowed: [0, 1, 2, 3],
      cores: [
        [0, 2],
        [1, 3],
      ],
      target: [0, 2],
      clients: [1, 3],
    },
    // In a container that may use some of the machine's CPUs only, in any order.
    { allowed: [9, 5, 7], cores: [[5], [7], [9]], target: [5], clients: [7, 9] },
  ])('of $allowed, cores $cores: target $target, clients $clients', ({ allowed, cores, target, clients }) => {
    const partition = partitionCpus({ allowed_cpus: allowed, taskset, hyperthreads: cores });
    expect(partition).toMatchObject({ targetCpus: target, clientCpus: clients });
  });

  it('says so when target and clients have to share one core', () => {
    expect(partitionCpus({ allowed_cpus: [0, 1], taskset, hyperthreads: [[0, 1]] })).toEqual({
      targetCpus: [0],
      clientCpus: [1],
      note: 'target on CPU 0, clients on 1; these are hyperthreads of one core and slow each other',
    });
  });

  it.each([
    [{ allowed_cpus: [], taskset }, 'which CPUs are allowed is unknown'],
    [{ allowed_cpus: [3], taskset }, 'only CPU 3 is allowed'],
    [{ allowed_cpus: [0, 1], taskset: null }, 'there is no taskset'],
  ])('is none, with the reason: %j', (host, reason) => {
    const { targetCpus, clientCpus, note } = partitionCpus(host);
    expect([targetCpus, clientCpus]).toEqual([null, null]);
    expect(note).toContain(reason);
  });

  it('gives every allowed CPU to one side, and both have some', () => {
    const cpus = fc.uniqueArray(fc.nat(127), { minLength: 2, maxLength: 128 });
    fc.assert(
      fc.property(cpus, fc.integer({ min: 1, max: 4 }), (allowed, threads) => {
        const cores = new Map<number, number[]>();
        for (const cpu of allowed) cores.set(cpu % threads, [...(cores.get(cpu % threads) ?? []), cpu]);
        const { targetCpus, clientCpus } = partitionCpus({
          allowed_cpus: allowed,
          taskset,
          hyperthreads: [...cores.values()],
        });
        expect(targetCpus!.length).toBeGreaterThan(0);
        expect(clientCpus!.length).toBeGreaterThan(0);
        expect([...targetCpus!, ...clientCpus!].sort()).toEqual([...allowed].sort());
        expect(targetCpus).toContain(Math.min(...allowed));
      }),
    );
  });
});

describe('a list of CPUs', () => {
  it.each([
    ['0', [0]],
    ['0-3,8', [0, 1, 2, 3, 8]],
    [' 1,3-4\n', [1, 3, 4]],
  ])('%j is %j', (text, cpus) => {
    expect(parseCpuList(text)).toEqual(cpus);
  });

  it.each(['', 'a', '3-1', '1,,2', '-1', '0-99999999', '0x1'])('%j is none', (text) => {
    expect(parseCpuList(text)).toBeNull();
  });

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(300), { minLength: 1 }), (cpus) => {
        expect(parseCpuList(formatCpuList(cpus))).toEqual([...cpus].sort((a, b) => a - b));
      }),
    );
  });

  it('goes before the command', () => {
    expect(withTaskset(['k6', 'run'], [3, 1, 2])).toEqual(['taskset', '-c', '1-3', 'k6', 'run']);
  });
});
