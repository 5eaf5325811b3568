import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'no usage, though it was asked for',
  about:
    'Older servers and many gateways know no stream_options. The 50 tokens came all the same, and can be counted: each event held one.',
  source: 'arithmetic of M: 50 events with text',
  right: '50 tokens, TPOT 20, NTPOT 23.6',
  judges: ['tokens', 'tpot', 'ntpot'],
  answer: (asked) => streamed(closed(tokens(asked, 0, TOKENS, 'length'), DONE)),
  sees: () => M,
  known: [
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => likeM({ tokens: 0 }),
    },
    {
      ...KIND.zeroForNone,
      arithmetic: '0 tokens, TPOT 0, NTPOT 0: the fastest server there is',
      sees: () => likeM({ tokens: 0, tpotMs: 0, ntpotMs: 0 }),
    },
  ],
} satisfies ScriptedProbe;
