import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { ending } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM } from '../kit/profile.ts';
import { closed, streamed } from '../kit/stream.ts';
import { thinkingPieces } from '../kit/thinking.ts';

const ANSWER_MS = 800;
const right = likeM({ answerTtftMs: ANSWER_MS });

export default {
  scope: 'request',
  title: '30 tokens of reasoning, then 20 of content',
  about:
    'The same under the field’s other name, `reasoning` (OpenRouter, newer vLLM). A client that knows one name only starts its clock 600 ms late.',
  source:
    'docs/metrics.md: TTFT is the first output token, content or reasoning; 200 + 30 · 20 = 800 is the first one of the answer',
  right: 'first output token 200, first answer token 800; ITL 20, TPOT 20, 50 tokens',
  judges: ['ttft', 'itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => streamed(closed(thinkingPieces(asked, 30, 'reasoning'), ending(asked))),
  sees: () => right,
  known: [
    {
      ...KIND.answerOnly,
      arithmetic: 'TTFT 800 (+300 %); 20 tokens; TPOT (1,180 − 800) / 19 = 20; NTPOT 1,180 / 20 = 59',
      reported: ['guidellm#737', 'inference-perf#559'],
      sees: () => likeM({ ttftMs: ANSWER_MS, tokens: 20, itlMs: gaps(19, GAP_MS) }),
    },
    {
      ...KIND.answerStartAllTokens,
      arithmetic: 'TTFT 800 (+300 %); TPOT (1,180 − 800) / 49 = 7.76 (−61 %)',
      reported: ['guidellm#737', 'inference-perf#559'],
      sees: () => likeM({ ttftMs: ANSWER_MS, itlMs: gaps(19, GAP_MS) }),
    },
    {
      kind: 'thinking-uncounted',
      what: 'starts at the first token of any kind, but counts only those of the answer',
      arithmetic: '20 tokens (−60 %); TPOT (1,180 − 200) / 19 = 51.58 (+158 %); NTPOT 1,180 / 20 = 59',
      sees: () => likeM({ tokens: 20 }),
    },
  ],
} satisfies ScriptedProbe;
