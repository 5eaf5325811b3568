import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { gaps, likeM, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const right = likeM({ e2eMs: TTFT_MS, itlMs: gaps(TOKENS - 1, 0) });

export default {
  scope: 'request',
  fragile: true,
  title: '50 events in one write at 200 ms',
  about:
    'A proxy that buffers the answer: 50 sound events arrive in one segment. Each is a token with a gap of 0. A client that stamps reads and not events sees one chunk; one that divides by a gap or by TPOT divides by zero.',
  source: 'docs/metrics.md: an answer in one write has gaps of zero; TPOT (200 − 200) / 49 = 0',
  right: 'TTFT 200, E2E 200, 49 gaps of 0, TPOT 0, NTPOT 200 / 50 = 4, 50 tokens',
  answer: (asked) => streamed(answerOf(asked, TOKENS, { gapMs: 0 })),
  sees: () => right,
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk',
      arithmetic: '1 token (−98 %); no gap and no TPOT; NTPOT 200 / 1 = 200',
      sees: () => ({ ...right, tokens: 1, itlMs: [] }),
    },
    {
      ...KIND.headersAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); TPOT (200 − 5) / 49 = 3.98',
      sees: () => ({ ...right, ttftMs: 5 }),
    },
    {
      ...KIND.ttftInItl,
      arithmetic: 'mean ITL (200 + 49 · 0) / 50 = 4; its largest value is TTFT',
      sees: () => ({ ...right, itlMs: [TTFT_MS, ...gaps(TOKENS - 1, 0)] }),
    },
  ],
} satisfies ScriptedProbe;
