import { describe, expect, it } from 'vitest';
import { isAlive, Procfs, parseStat } from '../../src/system/procfs.ts';

describe('/proc/PID/stat', () => {
  it('is read by the last parenthesis: a name may hold spaces, parentheses and digits', () => {
    const tail =
      'S 1 40 41 0 -1 4194304 10 20 30 40 123 77 8 9 20 0 17 0 5551 1000 321 18446744073709551615 1';
    expect(parseStat(`42 (a) R 1 (b)) ${tail}\n`)).toEqual({
      pid: 42,
      name: 'a) R 1 (b)',
      state: 'S',
      parent: 1,
      group: 40,
      session: 41,
      cpuTicks: 200,
      systemTicks: 77,
      reapedTicks: 17,
      threads: 17,
      startTicks: 5551,
      rssPages: 321,
    });
  });

  it.each(['', '42', '42 (x', '42 (x) S', 'x (y) S 1 1 1', 'garbage'])('%j is not one', (text) => {
    expect(parseStat(text)).toBeNull();
  });

  it('tells the living from zombies', () => {
    const stat = new Procfs().stat(process.pid)!;
    expect(isAlive(stat)).toBe(true);
    expect(isAlive({ ...stat, state: 'Z' })).toBe(false);
    expect(isAlive({ ...stat, state: 'X' })).toBe(false);
  });
});

describe('reading', () => {
  it('agrees with what this process knows of itself', () => {
    const procfs = new Procfs();
    expect(procfs.stat(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(procfs.pids()).toContain(process.pid);
    expect(procfs.threadsOf(process.pid)).toContain(process.pid);
    expect(procfs.openFiles(process.pid)).toContain('/dev/null');
  });

  it('gives nothing, and throws nothing, where nothing is', () => {
    const procfs = new Procfs('/no/such/root');
    expect(procfs.pids()).toEqual([]);
    expect(procfs.stat(1)).toBeNull();
    expect(procfs.threadsOf(1)).toEqual([]);
    expect(procfs.openFiles(1)).toEqual([]);
    expect(procfs.environmentOf(1, 'PATH')).toBeNull();
    expect(procfs.readShort('stat')).toBeNull();
    expect(procfs.readOpen(9999)).toBeNull();
  });
});
