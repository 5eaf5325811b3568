import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, ending, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { LAST_MS, likeM, M } from '../kit/profile.ts';
import { finishChoices } from '../kit/shapes.ts';
import { streamed, tokens } from '../kit/stream.ts';

const LATE_MS = 300;
const END_MS = LAST_MS + LATE_MS;

export default {
  scope: 'request',
  title: 'finish_reason in a chunk of its own, 300 ms after the last token',
  about:
    'Tool parsers, guards and post-processing hold the end back: the empty chunk with finish_reason, usage and [DONE] come 300 ms late. The last token was there at 1,180; what follows is no output.',
  source: 'docs/metrics.md: E2E is the last output token − t0',
  right: 'E2E 1,180, 49 gaps of 20, TPOT 20, NTPOT 23.6',
  judges: ['itl', 'tpot', 'tokens', 'ntpot', 'e2e'],
  answer: (asked) => {
    const finish = event(chunk(asked, { choices: finishChoices(asked, {}) }));
    return streamed([...tokens(asked), { atMs: END_MS, body: finish + ending(asked) }]);
  },
  sees: () => M,
  known: [
    {
      ...KIND.endAtFinish,
      arithmetic: 'E2E 1,480 (+25.4 %); TPOT (1,480 − 200) / 49 = 26.12 (+30.6 %); NTPOT 1,480 / 50 = 29.6',
      sees: () => likeM({ e2eMs: END_MS }),
    },
    {
      ...KIND.finishChunkAsToken,
      arithmetic:
        '51 tokens, E2E 1,480; mean ITL 1,280 / 50 = 25.6 (+28 %), its largest 300; TPOT 1,280 / 50 = 25.6; NTPOT 1,480 / 51 = 29.02',
      sees: () => likeM({ e2eMs: END_MS, tokens: 51, itlMs: [...M.itlMs, LATE_MS] }),
    },
  ],
} satisfies ScriptedProbe;
