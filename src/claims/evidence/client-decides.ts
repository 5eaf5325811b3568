/** Which answers of a claim's checklist its client itself gives, whatever the page says. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import type { ClientDecides } from '../evidence-types.ts';

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
