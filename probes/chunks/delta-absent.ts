import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, ending, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M } from '../kit/profile.ts';
import { finishChoices } from '../kit/shapes.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'the chunk with finish_reason has no delta',
  about:
    'The last choice has finish_reason and no delta. A client that reads `choice["delta"]` without a default fails when all 50 tokens have come.',
  source: 'arithmetic of M; a chunk without text is no token (docs/metrics.md)',
  right: 'success; M’s figures',
  answer: (asked) => {
    const finish = event(chunk(asked, { choices: finishChoices(asked, undefined) }));
    return streamed(closed(tokens(asked), finish + ending(asked)));
  },
  sees: () => M,
  known: [
    {
      ...KIND.finishChunkAsToken,
      arithmetic: '51 tokens; 50 gaps, the last one 0: mean ITL 980 / 50 = 19.6; NTPOT 1,180 / 51 = 23.14',
      sees: () => likeM({ tokens: 51, itlMs: [...M.itlMs, 0] }),
    },
  ],
} satisfies ScriptedProbe;
