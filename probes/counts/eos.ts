import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, M, TOKENS } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const STOPS_AT = 20;
/** 200 + 19 · 20. */
const END_MS = 580;
const stopped = likeM({ e2eMs: END_MS, tokens: STOPS_AT, itlMs: gaps(STOPS_AT - 1, GAP_MS) });

export default {
  scope: 'request',
  title: 'the model stops at 20 of 50 tokens, unless the request says ignore_eos',
  about:
    'Without ignore_eos a model ends where it likes, and answers are shorter than the workload says: E2E halves and the rate of requests rises, though no token came faster. A client must ask for the length (the flag), or give the number that was delivered.',
  source: 'with the flag M; without it 200 + 19 · 20 = 580 and 20 tokens, as usage says',
  right:
    'with ignore_eos: 50 tokens, E2E 1,180. Without: 20 tokens, E2E 580, TPOT 380 / 19 = 20, NTPOT 580 / 20 = 29',
  judges: ['tokens', 'e2e', 'tpot', 'ntpot'],
  answer: (asked) =>
    streamed(asked.ignoreEos ? answerOf(asked, TOKENS) : answerOf(asked, STOPS_AT, { finish: 'stop' })),
  sees: (_place, asked) => (asked?.ignoreEos ? M : stopped),
  known: [
    {
      ...KIND.requestedAsTokens,
      arithmetic:
        'without the flag 50 tokens (×2.5), E2E 580; TPOT 380 / 49 = 7.76 (−61 %); NTPOT 580 / 50 = 11.6 (−60 %)',
      reported: ['vllm#13333'],
      sees: (_place, asked) => (asked?.ignoreEos ? M : { ...stopped, tokens: 50 }),
    },
  ],
} satisfies ScriptedProbe;
