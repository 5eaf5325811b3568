import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'usage as strings: "completion_tokens": "50"',
  about:
    'Counts written as strings are no numbers, but there is no doubt about their meaning; and where a client does not take them, 50 events can be counted. It should not fail, nor print 0.',
  source: 'arithmetic of M: 50 events with text',
  right: 'success; 50 tokens, TPOT 20, NTPOT 23.6',
  judges: ['success', 'tokens', 'tpot', 'ntpot'],
  answer: (asked) => {
    const usage = { prompt_tokens: '8', completion_tokens: '50', total_tokens: '58' };
    const last = event(chunk(asked, { choices: [], usage }));
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
