/** Which answers of a claim's checklist its client itself gives, whatever the page says. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import type { ClientDecides } from '../evidence-types.ts';
import { scriptOf } from './definition-lines.ts';

const EVENT_LOOPS = ['asyncio', 'uvloop', 'gevent', 'libuv'];

/** `null` wherever a flag of the client's decides. From its adapter's facts alone. */
export function clientDecides(facts: ClientFacts): ClientDecides {
  const can = (variant: string) => facts.variants?.find((one) => one.variant === variant)?.can;
  const tokensByFlag = can('server-tokens') === true || can('client-tokens') === true;
  const source = facts.definitions.tokenSource;
  return {
    loop: facts.processes === '1' ? (EVENT_LOOPS.includes(facts.runtime) ? 'single' : 'multi') : null,
    t0: facts.definitions.t0,
    tokenSource: tokensByFlag ? null : source === 'clientTokenizer' ? 'client tokenizer' : source,
    arrivals: facts.openLoop ? facts.arrivals : [],
    streaming: can('plain-json') === false ? 'yes' : null,
  };
}

/** Senders of a body that the user writes: its `stream` and what is made of the reply are the user's. */
const BODY_OF_THE_USER: readonly string[] = ['vegeta', 'oha', 'autocannon'];
const NOTHING: ClientDecides = { loop: null, t0: null, tokenSource: null, arrivals: [], streaming: null };

/**
 * Of a claim's client, by name: where it runs a script, everything is the script's, and the facts are those of the script that Tare ships;
 * where it sends a body, what is in the body.
 */
export function decidesOf(client: string, facts: ClientFacts): ClientDecides {
  if (scriptOf(client) !== null) return NOTHING;
  const decides = clientDecides(facts);
  return BODY_OF_THE_USER.includes(client) ? { ...decides, tokenSource: null, streaming: null } : decides;
}
