/** The observer's eye on the machine: CPU time by kind, connections in TIME_WAIT, memory, and what watching itself takes. */
import type { MachineColumns } from './observation.ts';
import type { Procfs } from './procfs.ts';

/** All but CPU time is read at every so many samples. */
const SELDOM = 10;

/** CPU time of this process so far, ns. */
export type OwnCpu = () => number;

export const ownCpuNs: OwnCpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

const inKb = (text: string | null, field: string): number | null => {
  const match = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(text ?? '');
  return match === null ? null : Number(match[1]);
};

type Columns = { -readonly [K in keyof MachineColumns]: MachineColumns[K][number][] };

export class MachineTable {
  private readonly procfs: Procfs;
  private readonly ownCpu: OwnCpu;
  readonly columns: Columns = {
    stealTicks: [],
    totalTicks: [],
    workTicks: [],
    timeWaits: [],
    memoryAvailableMb: [],
    swapUsedMb: [],
    memoryStallNs: [],
    harnessNs: [],
  };

  constructor(procfs: Procfs, ownCpu: OwnCpu) {
    this.procfs = procfs;
    this.ownCpu = ownCpu;
  }

  sample(index: number, thorough: boolean): void {
    const { columns } = this;
    this.sampleCpu();
    columns.harnessNs.push(this.ownCpu());
    if (index === 0 || thorough || index % SELDOM === 0) {
      this.sampleSeldom();
    } else {
      for (const column of [
        columns.timeWaits,
        columns.memoryAvailableMb,
        columns.swapUsedMb,
        columns.memoryStallNs,
      ])
        column.push(column.at(-1) ?? null);
    }
  }

  /** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal (proc_stat(5)). */
  private sampleCpu(): void {
    const fields = this.procfs
      .readShort('stat')
      ?.split('\n', 1)[0]
      ?.trim()
      .split(/\s+/)
      .slice(1, 9)
      .map(Number);
    const known = fields !== undefined && fields.length === 8 && fields.every(Number.isFinite);
    const { columns } = this;
    columns.stealTicks.push(known ? fields[7]! : null);
    columns.totalTicks.push(known ? fields.reduce((sum, ticks) => sum + ticks, 0) : null);
    // Without interrupts: over loopback they are the client's and the target's own traffic, whoever's time they took.
    columns.workTicks.push(known ? fields[0]! + fields[1]! + fields[2]! : null);
  }

  private sampleSeldom(): void {
    const { columns, procfs } = this;
    const waiting = /^TCP:.*\btw (\d+)/m.exec(procfs.readShort('net/sockstat') ?? '');
    columns.timeWaits.push(waiting === null ? null : Number(waiting[1]));
    const memory = procfs.readShort('meminfo');
    const available = inKb(memory, 'MemAvailable');
    const swap = inKb(memory, 'SwapTotal');
    const free = inKb(memory, 'SwapFree');
    columns.memoryAvailableMb.push(available === null ? null : available / 1024);
    columns.swapUsedMb.push(swap === null || free === null ? null : (swap - free) / 1024);
    const stall = /^some .*\btotal=(\d+)/m.exec(procfs.readShort('pressure/memory') ?? '');
    columns.memoryStallNs.push(stall === null ? null : Number(stall[1]) * 1000);
  }
}
