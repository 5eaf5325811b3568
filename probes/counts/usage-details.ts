import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event, usageOf } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM } from '../kit/profile.ts';
import { closed, streamed } from '../kit/stream.ts';
import { thinkingPieces } from '../kit/thinking.ts';

const right = likeM({ answerTtftMs: 800 });

export default {
  scope: 'request',
  title: 'usage with details: 50 tokens, of which 30 are reasoning',
  about:
    '30 tokens of reasoning_content, 20 of content; usage says completion_tokens 50 and, within completion_tokens_details, reasoning_tokens 30. The details are a part of the 50 and not beside them.',
  source: 'OpenAI’s API reference: completion_tokens_details is a breakdown of completion_tokens',
  right: '50 tokens; TTFT 200, TPOT 20, NTPOT 23.6',
  judges: ['ttft', 'tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) => {
    const usage = {
      ...usageOf(asked),
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 30,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    };
    return streamed(closed(thinkingPieces(asked, 30), event(chunk(asked, { choices: [], usage })) + DONE));
  },
  sees: () => right,
  known: [
    {
      kind: 'details-added',
      what: 'adds reasoning_tokens to completion_tokens, which hold them already',
      arithmetic: '80 tokens (+60 %); TPOT 980 / 79 = 12.41; NTPOT 1,180 / 80 = 14.75',
      sees: () => ({ ...right, tokens: 80 }),
    },
    {
      ...KIND.answerOnly,
      arithmetic:
        '50 − 30 = 20 tokens; TTFT 800 (+300 %); TPOT (1,180 − 800) / 19 = 20; NTPOT 1,180 / 20 = 59',
      sees: () => likeM({ ttftMs: 800, tokens: 20, itlMs: gaps(19, GAP_MS) }),
    },
    {
      ...KIND.answerStartAllTokens,
      arithmetic: 'TTFT 800 (+300 %); TPOT (1,180 − 800) / 49 = 7.76 (−61 %)',
      sees: () => likeM({ ttftMs: 800, itlMs: gaps(19, GAP_MS) }),
    },
  ],
} satisfies ScriptedProbe;
