/** A small workload for the adapters' tests. */
import type { Workload } from '../../src/measure/workload.ts';

export const workloadOf = (change: Partial<Workload>): Workload => ({
  rateRps: 20,
  requests: 12,
  durationS: 0.6,
  arrivals: { kind: 'poisson' },
  promptTokens: 32,
  outputTokens: 16,
  latency: 'ttft=50ms,itl=10ms',
  seed: 3,
  ...change,
});
