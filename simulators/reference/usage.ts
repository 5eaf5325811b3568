/** CPU time and event-loop utilization of this process since the first request. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

interface Start {
  readonly cpu: NodeJS.CpuUsage;
  readonly loop: EventLoopUtilization;
}

export class Usage {
  #start: Start | null = null;

  /** To be called at the first request; later calls do nothing. */
  begin(): void {
    this.#start ??= { cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() };
  }

  clear(): void {
    this.#start = null;
  }

  /** CPU time since the first request, ns; and the share of `windowNs` in which the loop was not asleep. */
  read(windowNs: number): { cpuNs: number; eventLoopUtilization: number } {
    if (this.#start === null) return { cpuNs: 0, eventLoopUtilization: 0 };
    const cpu = process.cpuUsage(this.#start.cpu);
    const loop = performance.eventLoopUtilization(this.#start.loop);
    // Not `loop.utilization`: that is over the time until now, with the silence after the last request in it.
    const share = windowNs > 0 ? Math.min(1, (loop.active * 1e6) / windowNs) : 0;
    return { cpuNs: (cpu.user + cpu.system) * 1000, eventLoopUtilization: share };
  }
}
