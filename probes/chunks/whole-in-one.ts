import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { gaps, LAST_MS, likeM, TOKENS } from '../kit/profile.ts';
import { bursts } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const right = likeM({ ttftMs: LAST_MS, itlMs: gaps(TOKENS - 1, 0) });

export default {
  scope: 'request',
  fragile: true,
  title: 'all 50 tokens in one event at 1,180 ms',
  about:
    'A stream in name only: one event with the whole text. TTFT is E2E; gaps and TPOT are 0 by their formulas and say nothing of the server’s pace. A client that gives no ITL or TPOT here is right, too.',
  source: 'docs/metrics.md: an answer in one write has gaps of zero; TPOT (1,180 − 1,180) / 49 = 0',
  right: 'TTFT 1,180, E2E 1,180, 50 tokens, NTPOT 23.6; ITL and TPOT 0 or none',
  judges: ['ttft', 'e2e', 'tokens', 'ntpot'],
  answer: (asked) => streamed(bursts(asked, [{ atMs: LAST_MS, tokens: TOKENS }])),
  sees: () => right,
  known: [
    {
      ...KIND.chunksAsTokens,
      arithmetic: '1 token (−98 %); NTPOT 1,180 / 1 = 1,180; no TPOT',
      sees: () => ({ ...right, tokens: 1, itlMs: [] }),
    },
    {
      ...KIND.headersAsToken,
      arithmetic: 'TTFT 5 (−99.6 %); TPOT (1,180 − 5) / 49 = 23.98: as if the answer had been streamed',
      sees: () => ({ ...right, ttftMs: 5 }),
    },
  ],
} satisfies ScriptedProbe;
