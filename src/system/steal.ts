/** The share of CPU time that the hypervisor took between two looks at /proc/stat. */
import { readFileSync } from 'node:fs';

export interface CpuTicks {
  readonly steal: number;
  readonly total: number;
}

/** All CPUs' ticks so far (proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal); null where it cannot be read. */
export function cpuTicks(read: () => string = () => readFileSync('/proc/stat', 'latin1')): CpuTicks | null {
  let fields: number[];
  try {
    fields = read().split('\n', 1)[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
  } catch {
    return null;
  }
  if (fields.length < 8 || !fields.every(Number.isFinite)) return null;
  return { steal: fields[7]!, total: fields.reduce((sum, ticks) => sum + ticks, 0) };
}

/** Share of all CPU time, 0 … 1, or null where it is not known. */
export const stealBetween = (before: CpuTicks | null, after: CpuTicks | null): number | null =>
  before === null || after === null || after.total <= before.total
    ? null
    : (after.steal - before.steal) / (after.total - before.total);
