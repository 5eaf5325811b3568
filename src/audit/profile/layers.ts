/** The layers of a profile: how the target answers, what carries the answer, and how the client is asked for it. */
import type { ClientFacts, Variant } from '../../../adapters/contract.ts';
import type { FrontProtocol } from '../../../simulators/front/record.ts';
import type { Layer } from '../../measure/cost.ts';

/**
 * Tokens apart: gaps that divide no whole number of ms, so that the tokens of requests sent at a whole rate do not fall on the same
 * instants.
 */
export const TOKEN_BY_TOKEN = 'ttft=5ms,itl=2.37ms';
export const ONE_WRITE = 'zero';

/** What `--layers` takes. */
export const LAYER_CHOICES = ['json', 'sse-one-write', 'sse-token', 'tls', 'http2', 'tokenization'] as const;
export type LayerChoice = (typeof LAYER_CHOICES)[number];

export interface PlannedLayer {
  readonly id: string;
  readonly choice: LayerChoice;
  readonly layer: Layer;
  readonly tokenization: 'on' | 'off' | 'not stated';
  readonly variants: readonly Variant[];
  readonly latency: string;
  readonly front: FrontProtocol | null;
  readonly state: 'can' | 'cannot' | 'not known';
  readonly how: string;
}

type Facts = Pick<ClientFacts, 'variants'>;

const factOf = (facts: Facts, variant: Variant) => facts.variants?.find((one) => one.variant === variant);

/** Whether it tokenizes where it is run as usual: told by the variant that does the other thing. */
export function usualTokenization(facts: Facts): PlannedLayer['tokenization'] {
  if (factOf(facts, 'server-tokens') !== undefined) return 'on';
  if (factOf(facts, 'client-tokens') !== undefined) return 'off';
  return 'not stated';
}

/** The layers that were asked for, with what the facts say about each; in the order of LAYER_CHOICES. */
export function planLayers(facts: Facts, choices: readonly LayerChoice[]): PlannedLayer[] {
  const tokenization = usualTokenization(facts);
  const base = { tokenization, variants: [], front: null, state: 'can', how: 'as usual' } as const;
  const byVariant = (variant: Variant): Pick<PlannedLayer, 'variants' | 'state' | 'how'> => {
    const fact = factOf(facts, variant);
    if (fact === undefined)
      return { variants: [variant], state: 'not known', how: 'its facts say nothing about it' };
    return { variants: [variant], state: fact.can ? 'can' : 'cannot', how: fact.how };
  };
  const planned = (choice: LayerChoice): PlannedLayer => {
    switch (choice) {
      case 'json':
        return { ...base, id: choice, choice, layer: 'json', latency: ONE_WRITE, ...byVariant('plain-json') };
      case 'sse-one-write':
        return { ...base, id: choice, choice, layer: choice, latency: ONE_WRITE };
      case 'sse-token':
        return { ...base, id: choice, choice, layer: choice, latency: TOKEN_BY_TOKEN };
      case 'tls':
      case 'http2':
        return {
          ...base,
          id: choice,
          choice,
          layer: choice,
          latency: TOKEN_BY_TOKEN,
          front: choice,
          ...byVariant(choice),
        };
      case 'tokenization': {
        const variant = tokenization === 'off' ? 'client-tokens' : 'server-tokens';
        const other = tokenization === 'on' ? 'off' : tokenization === 'off' ? 'on' : 'not stated';
        return {
          ...base,
          id: `sse-token+${variant}`,
          choice,
          layer: 'sse-token',
          latency: TOKEN_BY_TOKEN,
          ...byVariant(variant),
          tokenization: other,
        };
      }
    }
  };
  return LAYER_CHOICES.filter((choice) => choices.includes(choice)).map(planned);
}
