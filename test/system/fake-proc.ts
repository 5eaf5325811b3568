/** A /proc of the tests' own: a folder with the files that are read, written anew for every change. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface FakeThread {
  readonly name?: string;
  readonly cpuMs: number;
  /** Ready without a core. */
  readonly waitMs?: number;
}

export interface FakeProcess {
  readonly name?: string;
  readonly parent?: number;
  readonly session?: number;
  readonly startTicks?: number;
  readonly state?: string;
  /** Of the whole process; the sum of its threads if not given. */
  readonly cpuMs?: number;
  readonly rssPages?: number;
  readonly threads: Readonly<Record<number, FakeThread>>;
}

export class FakeProc {
  readonly root = mkdtempSync(join(tmpdir(), 'tare-proc-'));
  private readonly schedstat: boolean;

  /** Without `schedstat` it is a kernel that says 0 everywhere. */
  constructor(schedstat = true) {
    this.schedstat = schedstat;
    this.write('self/schedstat', schedstat ? '5000 7 1\n' : '0 0 0\n');
    this.write('self/smaps', '00400000-0040b000 r--p\nSize: 44 kB\nKernelPageSize:       16 kB\n');
    this.machine(0, 0);
  }

  private write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Steal and all other CPU time of the machine, ticks. */
  machine(steal: number, other: number): void {
    this.write('stat', `cpu  ${other} 0 0 0 0 0 0 ${steal} 0 0\ncpu0 1 1 1\n`);
  }

  set(pid: number, process: FakeProcess): void {
    const {
      name = 'client',
      parent = 1,
      session = pid,
      startTicks = 100,
      state = 'S',
      rssPages = 64,
    } = process;
    const threads = Object.entries(process.threads);
    const cpuMs = process.cpuMs ?? threads.reduce((sum, [, thread]) => sum + thread.cpuMs, 0);
    const line = (id: number | string, comm: string, ms: number): string =>
      `${id} (${comm}) ${state} ${parent} ${session} ${session} 0 -1 0 0 0 0 0 ${Math.floor(ms / 10)} 0 0 0 20 0 ` +
      `${threads.length} 0 ${startTicks} 1000000 ${rssPages} 18446744073709551615 0\n`;
    this.write(`${pid}/stat`, line(pid, name, cpuMs));
    mkdirSync(join(this.root, `${pid}/task`), { recursive: true });
    // In place: what the sampler has open must see the change.
    for (const tid of readdirSync(join(this.root, `${pid}/task`))) {
      if (!(tid in process.threads)) rmSync(join(this.root, `${pid}/task/${tid}`), { recursive: true });
    }
    for (const [tid, thread] of threads) {
      this.write(`${pid}/task/${tid}/comm`, `${thread.name ?? name}\n`);
      this.write(`${pid}/task/${tid}/stat`, line(tid, thread.name ?? name, thread.cpuMs));
      this.write(
        `${pid}/task/${tid}/schedstat`,
        this.schedstat
          ? `${Math.round(thread.cpuMs * 1e6)} ${Math.round((thread.waitMs ?? 0) * 1e6)} 3\n`
          : '0 0 0\n',
      );
    }
  }

  remove(pid: number): void {
    rmSync(join(this.root, String(pid)), { recursive: true });
  }

  dispose(): void {
    rmSync(this.root, { recursive: true });
  }
}
