import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, usageOf } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M } from '../kit/profile.ts';
import { changed } from '../kit/shapes.ts';
import { closed, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a running count of usage in every chunk, and no usage chunk at the end',
  about:
    'vLLM’s continuous_usage_stats, and what several servers do unasked: each chunk says how many tokens there are so far, 1 … 50. The last count is the answer’s; they are not to be added up, and a chunk with usage still holds a token.',
  source: 'vLLM, stream_options.continuous_usage_stats: counts are cumulative; 1 + 2 + … + 50 = 1,275',
  right: '50 tokens; M’s figures',
  judges: ['tokens', 'ttft', 'itl', 'tpot', 'ntpot'],
  answer: (asked) =>
    streamed(
      closed(
        changed(asked, (i) => ({ usage: usageOf(asked, i + 1) })),
        DONE,
      ),
    ),
  sees: () => M,
  known: [
    {
      ...KIND.usageSummed,
      arithmetic:
        '1 + 2 + … + 50 = 1,275 tokens (×25.5); TPOT 980 / 1,274 = 0.77; NTPOT 1,180 / 1,275 = 0.93',
      sees: () => likeM({ tokens: 1275 }),
    },
    {
      kind: 'first-usage',
      what: 'keeps the first usage that it sees',
      arithmetic: '1 token (−98 %); no TPOT; NTPOT 1,180 / 1 = 1,180',
      sees: () => likeM({ tokens: 1 }),
    },
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT: it reads usage only in a chunk without choices',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
