import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, event, usageChunk } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'usage says 0 tokens where 50 came',
  about:
    'A server that does not count fills its usage with zeros. 50 events with text refute it: there is no count, and what came is counted. To take the server at its word is a definition, if a poor one; to print a TPOT or an NTPOT of 0 with it is a fault.',
  source: 'arithmetic of M: 50 events with text, which 0 tokens cannot have made',
  right: '50 tokens, TPOT 20, NTPOT 23.6',
  judges: ['tokens', 'tpot', 'ntpot'],
  answer: (asked) => streamed(closed(tokens(asked, 0, TOKENS, 'length'), event(usageChunk(asked, 0)) + DONE)),
  sees: () => M,
  known: [
    {
      kind: 'usage-as-given',
      what: 'takes usage at its word, whatever came',
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      definition: true,
      sees: () => likeM({ tokens: 0 }),
    },
    {
      ...KIND.zeroForNone,
      arithmetic: '0 tokens, TPOT 0, NTPOT 0',
      sees: () => likeM({ tokens: 0, tpotMs: 0, ntpotMs: 0 }),
    },
  ],
} satisfies ScriptedProbe;
