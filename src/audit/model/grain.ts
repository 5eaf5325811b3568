/** What joins the queue of a client's event loop as one piece: a whole answer, or a single token. Pure. */
import { type DelaySpec, NOT_INJECTED, parseLatencySpec } from '../../measure/latency-spec.ts';
import { NANOS_PER_MS } from '../../measure/time.ts';

/**
 * `request`: the tokens of an answer come together, so an arrival is a batch. `token`: they come one by one with time between them, so that those
 * of many answers mix, and each queues by itself.
 */
export type Grain = 'request' | 'token';

/** Tokens less far apart than this, ms, come neither together nor apart: the loop finds a few of an answer in each turn. */
export const APART_MS = 1;

export type GrainFound =
  | { readonly grain: Grain; readonly words: string }
  | { readonly grain: null; readonly why: string };

/** Mean gap, ns; null for values in a file, which are not at hand where a document is read. */
function meanNs(delay: DelaySpec): number | null {
  switch (delay.kind) {
    case 'constant':
      return delay.ns;
    case 'lognormal':
      return delay.meanNs;
    case 'bimodal':
      return (1 - delay.share) * delay.usualNs + delay.share * delay.rareNs;
    case 'empirical':
      return null;
  }
}

/** By the latency model of the audit's plan and the output tokens of a request. */
export function grainOf(latency: string, tokens: number): GrainFound {
  if (latency === NOT_INJECTED)
    return { grain: null, why: 'the delays of the target are not known, so neither is how its tokens come' };
  if (tokens <= 1) return { grain: 'request', words: 'one token a request' };
  const gap = meanNs(parseLatencySpec(latency).itl);
  if (gap === 0)
    return {
      grain: 'request',
      words: `the ${tokens} tokens of a request come together: an arrival is a batch`,
    };
  if (gap === null)
    return {
      grain: null,
      why: `the gaps between tokens come from a file (${latency}), so whether they come together or apart is not known`,
    };
  const ms = gap / NANOS_PER_MS;
  if (ms < APART_MS)
    return {
      grain: null,
      why: `tokens come ${ms} ms apart: neither together nor one by one. Use --latency zero, or gaps of ${APART_MS} ms and more`,
    };
  return {
    grain: 'token',
    words: `tokens come ${ms} ms apart, so those of many requests mix: an arrival is a token`,
  };
}
