/** How long a request will take, roughly: for clients that must be told beforehand how many may be in flight. */
import { type DelaySpec, NOT_INJECTED, parseLatencySpec } from '../../src/measure/latency-spec.ts';
import { toMs } from '../../src/measure/time.ts';

const FALLBACK_E2E_MS = 2000;
const FLOOR_E2E_MS = 50;

/** A delay's mean as far as the flag tells it, ns; null for values in a file. */
function meanNs(delay: DelaySpec): number | null {
  if (delay.kind === 'constant') return delay.ns;
  if (delay.kind === 'lognormal') return delay.meanNs;
  if (delay.kind === 'bimodal') return delay.usualNs + delay.share * (delay.rareNs - delay.usualNs);
  return null;
}

/** About how long a request takes under a latency flag, for sizing only; two seconds where the flag does not tell. */
export function roughE2eMs(latency: string, promptTokens: number, outputTokens: number): number {
  if (latency === NOT_INJECTED) return FALLBACK_E2E_MS;
  const spec = parseLatencySpec(latency);
  const ttft = meanNs(spec.ttft);
  const itl = meanNs(spec.itl);
  if (ttft === null || itl === null) return FALLBACK_E2E_MS;
  const sum = ttft + promptTokens * spec.prefillNs + Math.max(0, outputTokens - 1) * itl;
  return Math.max(toMs(sum), FLOOR_E2E_MS);
}

/** Concurrent users that a rate needs: rate × E2E (Little's law) × 1.5, and a margin before the start. */
export const usersFor = (rateRps: number, e2eMs: number): number =>
  Math.ceil((rateRps * e2eMs * 1.5) / 1000) + 20;
