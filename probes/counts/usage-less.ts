import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, event, usageChunk } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

const SAID = 40;

export default {
  scope: 'request',
  title: 'usage says 40 tokens where 50 events held text',
  about:
    'A gateway that cuts text anew (by characters, to smooth the stream) sends more events than there were tokens. usage is the server’s count; an event is not a token.',
  source:
    'OpenAI’s API reference: completion_tokens is the number of tokens in the generated completion; tokens by usage (docs/metrics.md)',
  right: '40 tokens; TPOT 980 / 39 = 25.13; NTPOT 1,180 / 40 = 29.5; gaps between events 20',
  judges: ['tokens', 'tpot', 'ntpot'],
  answer: (asked) =>
    streamed(closed(tokens(asked, 0, TOKENS, 'length'), event(usageChunk(asked, SAID)) + DONE)),
  sees: () => likeM({ tokens: SAID }),
  known: [
    {
      ...KIND.recountedText,
      arithmetic: '50 tokens (+25 %); TPOT 980 / 49 = 20; NTPOT 1,180 / 50 = 23.6',
      sees: () => M,
    },
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
