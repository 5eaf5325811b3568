/** What a request of a load costs a worker of ours, by the profile that was measured on this machine. */
import { type CostProfile, type Layer, type LayerCost, requestCostUs } from '../measure/cost.ts';

/** A cost of one request on one event loop, µs: as fitted, and with every part at the upper end of its 95 % interval. */
export interface RequestCost {
  readonly us: number;
  readonly high_us: number;
  readonly layer: Layer;
  readonly measured_at: string;
}

/** The profile, or why there is none that holds here. */
export type KnownCosts = { readonly profile: CostProfile } | { readonly profile: null; readonly why: string };

export interface CostedRequest {
  readonly tokens: number;
  readonly promptBytes: number;
  readonly stream: boolean;
  readonly tls: boolean;
  /** CPU time burned for each token on purpose, µs. */
  readonly burnPerTokenUs: number;
}

const upper = (cost: LayerCost): LayerCost => {
  const high = <T extends { us: number; high_us: number } | null>(c: T): T =>
    c === null ? c : { ...c, us: c.high_us };
  return {
    ...cost,
    request: high(cost.request),
    token: high(cost.token),
    prompt_byte: high(cost.prompt_byte),
  };
};

/** Layers that a request may be costed by, dearest way first: token by token, since a server seldom sends all tokens in one write. */
const layersFor = ({ stream, tls }: CostedRequest): readonly Layer[] => [
  ...(tls ? (['tls'] as const) : []),
  stream ? 'sse-token' : 'json',
];

/**
 * The cost of a request by a profile; null where it has none of the layers that matter. Over TLS the dearer of TLS and the plain layer counts. A client of several loops
 * was measured by its busiest thread, which had its share of the requests: `loops` times that is what a request costs the loop that serves it.
 */
export function costOfRequest(profile: CostProfile, request: CostedRequest): RequestCost | null {
  const wanted = layersFor(request);
  const loops = profile.bound_by === 'all threads' ? 1 : Math.max(1, profile.loops);
  const costs = profile.layers
    .filter(({ layer }) => wanted.includes(layer))
    .map((cost) => {
      const us = (c: LayerCost): number =>
        requestCostUs(c, request) * loops + request.burnPerTokenUs * request.tokens;
      return { us: us(cost), high_us: us(upper(cost)), layer: cost.layer, measured_at: profile.measured_at };
    })
    .filter(({ us }) => us > 0);
  return costs.reduce<RequestCost | null>(
    (dearest, one) => (dearest === null || one.us > dearest.us ? one : dearest),
    null,
  );
}
