import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { ending } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { FAILED, likeM, TOKENS } from '../kit/profile.ts';
import { closed, streamed } from '../kit/stream.ts';
import { thinkingPieces } from '../kit/thinking.ts';

export default {
  scope: 'request',
  title: 'the cap is reached while it still thinks: reasoning alone, finish_reason "length"',
  about:
    'All 50 tokens are reasoning; no token of the answer ever comes. The answer’s own TTFT is none and never 0, and the request did deliver 50 output tokens.',
  source: 'docs/metrics.md: reasoning is output; a figure that there is none of is null, not 0',
  right: 'TTFT 200, E2E 1,180, 50 tokens; TTFT of the answer: none',
  answer: (asked) => streamed(closed(thinkingPieces(asked, TOKENS), ending(asked))),
  sees: () => likeM({ answerTtftMs: null }),
  known: [
    {
      ...KIND.zeroForNone,
      arithmetic: 'TTFT 0; no gaps; TPOT (1,180 − 0) / 49 = 24.08',
      reported: ['guidellm#737'],
      sees: () => likeM({ ttftMs: 0, answerTtftMs: 0, itlMs: [] }),
    },
    {
      kind: 'answer-only',
      what: 'takes only content for output: the request has no token, and it counts as failed',
      arithmetic:
        'success 0 %; a server whose model thinks long looks broken and its slowest answers leave the percentiles',
      definition: true,
      sees: () => FAILED,
    },
  ],
} satisfies ScriptedProbe;
