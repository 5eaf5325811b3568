import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, TTFT_MS } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const right = likeM({ e2eMs: TTFT_MS, tokens: 1, itlMs: [], tpotMs: null });

export default {
  scope: 'request',
  title: 'an answer of one token, at 200 ms',
  about:
    'The model stops after its first token. There is a TTFT, an E2E and an NTPOT, but no second token: no gap and no TPOT. Neither is 0.',
  source: 'docs/metrics.md: TPOT is not defined for one token, and then left out, not zero',
  right: 'TTFT 200, E2E 200, 1 token, NTPOT 200; no ITL and no TPOT',
  answer: (asked) => streamed(answerOf(asked, 1, { finish: 'stop' })),
  sees: () => right,
  known: [
    {
      ...KIND.zeroForNone,
      arithmetic: 'TPOT 0 and ITL 0 where there is none',
      sees: () => ({ ...right, tpotMs: 0, itlMs: [0] }),
    },
    {
      ...KIND.requestedAsTokens,
      arithmetic: '50 tokens; TPOT 0 / 49 = 0; NTPOT 200 / 50 = 4 (−98 %)',
      sees: () => ({ ...right, tokens: 50, tpotMs: 0, ntpotMs: 4 }),
    },
    {
      ...KIND.ttftInItl,
      arithmetic: 'one gap, of 200: mean ITL 200 where there is none',
      sees: () => ({ ...right, itlMs: [TTFT_MS] }),
    },
  ],
} satisfies ScriptedProbe;
