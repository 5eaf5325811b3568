import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, ending, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M } from '../kit/profile.ts';
import { finishChoices } from '../kit/shapes.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'finish_reason in a chunk of its own, in the last token’s write',
  about:
    'As OpenAI sends it: an empty delta with finish_reason behind the last token. It holds no text and is no token.',
  source: 'arithmetic of M; OpenAI’s chunk object: the last chunk’s delta is empty',
  right: '49 gaps of 20, TPOT 20, 50 tokens',
  judges: ['itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => {
    const finish = event(chunk(asked, { choices: finishChoices(asked, {}) }));
    return streamed(closed(tokens(asked), finish + ending(asked)));
  },
  sees: () => M,
  known: [
    {
      ...KIND.finishChunkAsToken,
      arithmetic:
        '51 tokens; 50 gaps, the last one 0: mean ITL 980 / 50 = 19.6; TPOT 980 / 50 = 19.6; NTPOT 1,180 / 51 = 23.14',
      sees: () => likeM({ tokens: 51, itlMs: [...M.itlMs, 0] }),
    },
  ],
} satisfies ScriptedProbe;
