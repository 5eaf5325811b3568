import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Members, type ProcessTable } from '../../src/system/members.ts';
import type { ProcessStat } from '../../src/system/procfs.ts';

type Row = Pick<ProcessStat, 'pid' | 'startTicks'> &
  Partial<ProcessStat> & { marker?: string; files?: string[] };

/** A process table that tests write. */
class Table implements ProcessTable {
  readonly rows = new Map<number, Row>();

  set(...rows: Row[]): this {
    for (const row of rows) this.rows.set(row.pid, row);
    return this;
  }

  pids(): number[] {
    return [...this.rows.keys()];
  }

  stat(pid: number): ProcessStat | null {
    const row = this.rows.get(pid);
    if (row === undefined) return null;
    const plain = {
      name: 'x',
      state: 'S',
      parent: 1,
      group: pid,
      session: pid,
      cpuTicks: 0,
      systemTicks: 0,
      reapedTicks: 0,
      threads: 1,
      rssPages: 1,
    };
    return { ...plain, ...row };
  }

  environmentOf(pid: number): string | null {
    return this.rows.get(pid)?.marker ?? null;
  }

  openFiles(pid: number): string[] {
    return this.rows.get(pid)?.files ?? [];
  }
}

const LEADER = { pid: 100, startTicks: 50 };
const pidsOf = (members: readonly ProcessStat[]): number[] =>
  members.map(({ pid }) => pid).sort((a, b) => a - b);

describe('what belongs to a program', () => {
  it('is what bears any one sign: group, session, mark, or a parent that does', () => {
    const table = new Table().set(
      { ...LEADER },
      { pid: 101, startTicks: 51, group: 100 },
      { pid: 102, startTicks: 51, session: 100 },
      { pid: 103, startTicks: 51, marker: 'outer.1:m.1' },
      { pid: 104, startTicks: 52, parent: 103 },
      { pid: 105, startTicks: 52, parent: 104 },
      { pid: 106, startTicks: 52, marker: 'm.11' },
      { pid: 107, startTicks: 52 },
    );
    expect(pidsOf(new Members(table, LEADER, 'm.1').look())).toEqual([100, 101, 102, 103, 104, 105]);
  });

  it('stays so when all signs are shed after a look', () => {
    const table = new Table().set({ ...LEADER }, { pid: 101, startTicks: 51, parent: 100 });
    const members = new Members(table, LEADER, 'm.1');
    members.look();
    table.rows.delete(100);
    table.set({ pid: 101, startTicks: 51, parent: 1 });
    expect(pidsOf(members.look())).toEqual([101]);
  });

  it('does not pass to another process with the same pid', () => {
    const table = new Table().set({ ...LEADER }, { pid: 101, startTicks: 51, parent: 100 });
    const members = new Members(table, LEADER, 'm.1');
    members.look();
    table.set(
      { pid: 101, startTicks: 900 },
      { pid: 100, startTicks: 901 },
      { pid: 102, startTicks: 902, session: 100 },
    );
    expect(members.look(true)).toEqual([]);
    expect(members.recheck()).toEqual([]);
  });

  it('is never older than the program, whatever its signs', () => {
    const table = new Table().set({ ...LEADER }, { pid: 7, startTicks: 49, group: 100, marker: 'm.1' });
    expect(pidsOf(new Members(table, LEADER, 'm.1').look())).toEqual([100]);
  });

  it('sees a pid that was an older process at the last look', () => {
    const table = new Table().set({ ...LEADER }, { pid: 7, startTicks: 3 });
    const members = new Members(table, LEADER, 'm.1');
    members.look();
    table.set({ pid: 7, startTicks: 60, marker: 'm.1' });
    expect(pidsOf(members.look(true))).toEqual([7, 100]);
  });

  it('is not a zombie, but its children are', () => {
    const table = new Table().set({ ...LEADER, state: 'Z' }, { pid: 101, startTicks: 51, parent: 100 });
    expect(pidsOf(new Members(table, LEADER, null).look())).toEqual([101]);
  });

  it('is, once adopted, what holds one of its files', () => {
    const table = new Table().set(
      { ...LEADER },
      { pid: 101, startTicks: 51, files: ['/dev/null', 'socket:[9]'] },
      { pid: 102, startTicks: 51, files: ['socket:[99]'] },
      { pid: 103, startTicks: 4, files: ['socket:[9]'] },
    );
    const members = new Members(table, LEADER, 'm.1');
    members.adoptHolders(new Set(['socket:[9]']));
    expect(pidsOf(members.look())).toEqual([100, 101]);
  });

  it('ends although torn readings show a circle of parents', () => {
    const table = new Table().set(
      { ...LEADER },
      { pid: 101, startTicks: 51, parent: 102 },
      { pid: 102, startTicks: 51, parent: 101 },
    );
    expect(pidsOf(new Members(table, LEADER, null).look())).toEqual([100]);
  });

  it('holds for any forest: every descendant with a sign or a living parent that belongs, and nobody else', () => {
    const process = fc.record({
      parent: fc.nat(),
      keepsSession: fc.boolean(),
      keepsMarker: fc.boolean(),
      orphaned: fc.boolean(),
      dead: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(process, { maxLength: 40 }), (processes) => {
        const table = new Table().set({ ...LEADER }, { pid: 1, startTicks: 0 });
        const belongs: boolean[] = [];
        const alive: number[] = [100];
        processes.forEach(({ parent, keepsSession, keepsMarker, orphaned, dead }, i) => {
          // Every other one descends from the program, from a process before it; the rest from init.
          const ours = i % 2 === 0;
          const ancestor = i >= 2 ? 2 * (parent % Math.floor(i / 2)) + (i % 2) : -1;
          const living = ancestor < 0 || !processes[ancestor]!.dead;
          const parentPid =
            orphaned || !living || (ancestor < 0 && !ours) ? 1 : ancestor < 0 ? 100 : 1000 + ancestor;
          const pid = 1000 + i;
          belongs[i] =
            ours &&
            (keepsSession || keepsMarker || parentPid === 100 || (parentPid > 100 && belongs[ancestor]!));
          if (dead) return;
          table.set({
            pid,
            startTicks: 60 + i,
            parent: parentPid,
            ...(ours && keepsSession ? { session: 100 } : {}),
            ...(ours && keepsMarker ? { marker: 'm.1' } : {}),
          });
          if (belongs[i]) alive.push(pid);
        });
        expect(pidsOf(new Members(table, LEADER, 'm.1').look())).toEqual(alive);
      }),
    );
  });
});
