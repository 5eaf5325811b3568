import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, HEAD_MS, likeM, M, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'run',
  title: 'the base profile, with nothing odd',
  about:
    'Head at 5 ms, 50 events of one token from 200 ms on, 20 ms apart; usage, [DONE] and the end of the body in the last token’s write.',
  source: 'arithmetic of M',
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 980 / 49 = 20, NTPOT 1,180 / 50 = 23.6, 50 tokens',
  answer: (asked) => plain(asked),
  sees: () => M,
  known: [
    {
      ...KIND.headersAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); TPOT (1,180 − 5) / 49 = 23.98',
      reported: ['k6#746', 'k6#4086'],
      sees: () => likeM({ ttftMs: HEAD_MS }),
    },
    {
      ...KIND.ttftInItl,
      arithmetic: 'mean ITL (200 + 49 · 20) / 50 = 23.6 (+18 %); its largest value is TTFT',
      reported: ['vllm#7242', 'llmperf PR#99'],
      sees: () => likeM({ itlMs: [TTFT_MS, ...gaps(TOKENS - 1, GAP_MS)] }),
    },
  ],
} satisfies ScriptedProbe;
