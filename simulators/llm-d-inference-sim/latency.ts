/**
 * Our spelling of a latency model as flags of llm-d-inference-sim. Only what it gives exactly: constant TTFT and ITL. Its own random
 * delays are clipped normal ones, and it counts prompt tokens by a tokenizer of its own, so nothing else maps.
 */
import { type DelaySpec, parseLatencySpec } from '../../src/measure/latency-spec.ts';

/** Its delays; integer nanoseconds. */
export interface SimLatency {
  readonly ttftNs: number;
  readonly itlNs: number;
}

function constant(name: string, delay: DelaySpec): number {
  if (delay.kind === 'constant') return delay.ns;
  throw new Error(
    `llm-d-inference-sim cannot give ${name}=${delay.kind}:…: it takes constant delays only, e.g. zero or ttft=50ms,itl=10ms. Use those, or the reference target.`,
  );
}

/** The delays of a model; throws an Error that names what it cannot give, or what is misspelt. */
export function simLatency(text: string): SimLatency {
  const spec = parseLatencySpec(text);
  if (spec.prefillNs > 0)
    throw new Error(
      'llm-d-inference-sim cannot give prefill=…: it counts prompt tokens by a tokenizer of its own. Leave it out, or use the reference target.',
    );
  return { ttftNs: constant('ttft', spec.ttft), itlNs: constant('itl', spec.itl) };
}
