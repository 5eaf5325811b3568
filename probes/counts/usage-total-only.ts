import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

const PROMPT = 100;

export default {
  scope: 'request',
  fragile: true,
  title: 'usage with the prompt’s count, 100, and the total, 150, but no completion_tokens',
  about:
    'The output is the difference, 50, which the events confirm. The total is not the output: with long prompts that mistake is the larger part of the figure.',
  source: '150 − 100 = 50; 50 events with text',
  right: '50 tokens, TPOT 20, NTPOT 23.6',
  judges: ['tokens', 'tpot', 'ntpot'],
  answer: (asked) => {
    const usage = { prompt_tokens: PROMPT, total_tokens: PROMPT + TOKENS };
    const last = event(chunk(asked, { choices: [], usage }));
    return streamed(closed(tokens(asked, 0, TOKENS, 'length'), last + DONE));
  },
  sees: () => M,
  known: [
    {
      kind: 'total-as-tokens',
      what: 'takes the total for the output',
      arithmetic: '150 tokens (×3); TPOT 980 / 149 = 6.58; NTPOT 1,180 / 150 = 7.87',
      sees: () => likeM({ tokens: PROMPT + TOKENS }),
    },
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
