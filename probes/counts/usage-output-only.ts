import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'usage with completion_tokens alone',
  about:
    'The count of the prompt, and the total, are left out. Neither is needed for the output’s figures; a client that reads all three at once loses the one that is there.',
  source: 'arithmetic of M; completion_tokens is there',
  right: 'success; 50 tokens, TPOT 20, NTPOT 23.6',
  judges: ['success', 'tokens', 'tpot', 'ntpot'],
  answer: (asked) => {
    const last = event(chunk(asked, { choices: [], usage: { completion_tokens: TOKENS } }));
    return streamed(closed(tokens(asked, 0, TOKENS, 'length'), last + DONE));
  },
  sees: () => M,
  known: [
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
