import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event, usageChunk, usageOf } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M } from '../kit/profile.ts';
import { finishChoices } from '../kit/shapes.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'usage twice: in the chunk with finish_reason and in one of its own',
  about:
    'A gateway that knows both habits sends usage in both places. It is the same count, said twice; it is not to be added up.',
  source: 'arithmetic of M; usage is of the whole request wherever it stands',
  right: '50 tokens, TPOT 20, NTPOT 23.6',
  judges: ['tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) => {
    const finish = chunk(asked, { choices: finishChoices(asked, {}), usage: usageOf(asked) });
    return streamed(closed(tokens(asked), event(finish) + event(usageChunk(asked)) + DONE));
  },
  sees: () => M,
  known: [
    {
      ...KIND.usageSummed,
      arithmetic: '100 tokens (×2); TPOT 980 / 99 = 9.9; NTPOT 1,180 / 100 = 11.8',
      sees: () => likeM({ tokens: 100 }),
    },
    {
      ...KIND.chunksAsTokens,
      arithmetic: '52 chunks: TPOT 980 / 51 = 19.22; NTPOT 1,180 / 52 = 22.69',
      sees: () => likeM({ tokens: 52, itlMs: [...M.itlMs, 0, 0] }),
    },
  ],
} satisfies ScriptedProbe;
