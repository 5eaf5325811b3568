/** A /proc of the tests' own: a folder with the files that are read, written anew for every change. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface FakeThread {
  readonly name?: string;
  readonly cpuMs: number;
  /** Ready without a core. */
  readonly waitMs?: number;
  /** How often it was put on a core. */
  readonly turns?: number;
}

export interface FakeProcess {
  readonly name?: string;
  readonly parent?: number;
  readonly session?: number;
  readonly startTicks?: number;
  readonly state?: string;
  /** Of the whole process; the sum of its threads if not given. */
  readonly cpuMs?: number;
  /** The part of it in the kernel. */
  readonly systemMs?: number;
  /** CPU time of children that it has waited for; half of it is given as theirs in the kernel. */
  readonly reapedMs?: number;
  /** What its descriptors point to; without it there is no fd folder, as for a process that may not be looked at. */
  readonly files?: readonly string[];
  readonly filesLimit?: number;
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
  machine(steal: number, other: number, work = 0): void {
    this.write('stat', `cpu  ${work} 0 0 ${other} 0 0 0 ${steal} 0 0\ncpu0 1 1 1\n`);
  }

  /** TIME_WAIT connections, memory and swap in MB, ms waited for memory. */
  state(state: { timeWaits: number; availableMb: number; swapUsedMb: number; stallMs: number }): void {
    this.write(
      'net/sockstat',
      `sockets: used 15\nTCP: inuse 1 orphan 0 tw ${state.timeWaits} alloc 1 mem 17\nUDP: inuse 0 mem 0\n`,
    );
    this.write(
      'meminfo',
      `MemTotal: 4096000 kB\nMemAvailable: ${state.availableMb * 1024} kB\nSwapTotal: 1024000 kB\nSwapFree: ${1024_000 - state.swapUsedMb * 1024} kB\n`,
    );
    this.write(
      'pressure/memory',
      `some avg10=0.00 avg60=0.00 avg300=0.00 total=${state.stallMs * 1000}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n`,
    );
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
    const systemTicks = Math.floor((process.systemMs ?? 0) / 10);
    const reapedTicks = Math.floor((process.reapedMs ?? 0) / 10);
    const halfTicks = reapedTicks >> 1;
    const line = (id: number | string, comm: string, ms: number): string =>
      `${id} (${comm}) ${state} ${parent} ${session} ${session} 0 -1 0 0 0 0 0 ${Math.floor(ms / 10) - systemTicks} ${systemTicks} ${reapedTicks - halfTicks} ${halfTicks} 20 0 ` +
      `${threads.length} 0 ${startTicks} 1000000 ${rssPages} 18446744073709551615 0\n`;
    this.write(`${pid}/stat`, line(pid, name, cpuMs));
    if (process.filesLimit !== undefined)
      this.write(`${pid}/limits`, `Max open files            ${process.filesLimit} 524288 files\n`);
    if (process.files !== undefined) {
      rmSync(join(this.root, `${pid}/fd`), { recursive: true, force: true });
      mkdirSync(join(this.root, `${pid}/fd`));
      for (const [fd, target] of process.files.entries())
        symlinkSync(target, join(this.root, `${pid}/fd/${fd}`));
    }
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
          ? `${Math.round(thread.cpuMs * 1e6)} ${Math.round((thread.waitMs ?? 0) * 1e6)} ${thread.turns ?? 3}\n`
          : '0 0 0\n',
      );
    }
  }

  remove(pid: number): void {
    // The sampler may have it open: like the kernel's, it has nothing left to read.
    this.write(`${pid}/stat`, '');
    rmSync(join(this.root, String(pid)), { recursive: true });
  }

  dispose(): void {
    rmSync(this.root, { recursive: true });
  }
}
