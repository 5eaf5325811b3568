import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, event, usageChunk } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

const SAID = 60;

export default {
  scope: 'request',
  title: 'usage says 60 tokens where 50 events held text',
  about:
    'Special tokens, and tokens whose text a parser drops, are made and paid for but never shown: usage is the server’s count of what it generated, and there is no other. It is the right one, and an answer’s TPOT and NTPOT go by it. Who counts text has another definition.',
  source:
    'OpenAI’s API reference: completion_tokens is the number of tokens in the generated completion; tokens by usage (docs/metrics.md)',
  right: '60 tokens; TPOT 980 / 59 = 16.61; NTPOT 1,180 / 60 = 19.67; 49 gaps of 20',
  judges: ['tokens', 'tpot', 'ntpot'],
  answer: (asked) =>
    streamed(closed(tokens(asked, 0, TOKENS, 'length'), event(usageChunk(asked, SAID)) + DONE)),
  sees: () => likeM({ tokens: SAID }),
  known: [
    {
      ...KIND.recountedText,
      arithmetic: '50 tokens (−17 %); TPOT 980 / 49 = 20; NTPOT 1,180 / 50 = 23.6',
      sees: () => M,
    },
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
