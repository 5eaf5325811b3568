import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const ONE = likeM({ e2eMs: TTFT_MS, tokens: 1, itlMs: [], tpotMs: null });
const isOne = (place: number): boolean => place % 2 === 1;

export default {
  scope: 'run',
  title: 'answers of 50 tokens and of one in turn',
  about:
    'Every second answer stops after its first token. It has no TPOT and must not enter the mean of TPOT as 0: the server is not faster for it.',
  source: 'docs/metrics.md: TPOT is not defined for one token, and then left out, not zero',
  right:
    'mean TPOT 20, over 5 of 10 requests; ITL 20; TTFT 200; mean E2E (1,180 + 200) / 2 = 690; mean NTPOT (23.6 + 200) / 2 = 111.8; mean tokens 25.5',
  judges: ['tpot', 'itl', 'tokens', 'ntpot'],
  answer: (asked) =>
    streamed(isOne(asked.place) ? answerOf(asked, 1, { finish: 'stop' }) : answerOf(asked, TOKENS)),
  sees: (place) => (isOne(place) ? ONE : M),
  known: [
    {
      ...KIND.zeroForNone,
      arithmetic: 'mean TPOT (20 + 0) / 2 = 10 (−50 %), median 10',
      sees: (place) => (isOne(place) ? { ...ONE, tpotMs: 0 } : M),
    },
    {
      ...KIND.requestedAsTokens,
      arithmetic: '50 tokens each; mean TPOT (20 + 0) / 2 = 10; mean NTPOT (23.6 + 4) / 2 = 13.8 (−88 %)',
      sees: (place) => (isOne(place) ? { ...ONE, tokens: 50, tpotMs: 0, ntpotMs: 4 } : M),
    },
  ],
} satisfies ScriptedProbe;
