import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, TTFT_MS } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const DELIVERED = 10;
/** 200 + 9 · 20. */
const END_MS = 380;
const right = likeM({ e2eMs: END_MS, tokens: DELIVERED, itlMs: gaps(DELIVERED - 1, GAP_MS) });

export default {
  scope: 'run',
  tokens: DELIVERED,
  title: 'ten tokens at M’s pace',
  about:
    'A short answer: what TTFT adds to gaps or to TPOT is divided by few tokens. With plain (N = 50) and long-ttft it shows how the fault shrinks as 1/N.',
  source: 'arithmetic: 200 + 9 · 20 = 380',
  right: '10 tokens, TTFT 200, E2E 380, 9 gaps of 20, TPOT 180 / 9 = 20, NTPOT 380 / 10 = 38',
  judges: ['itl', 'tpot', 'ntpot', 'tokens'],
  answer: (asked) => streamed(answerOf(asked, DELIVERED)),
  sees: () => right,
  known: [
    {
      ...KIND.ttftInItl,
      arithmetic: 'mean ITL (200 + 9 · 20) / 10 = 38 (+90 %); its largest value is TTFT',
      reported: ['vllm#7242', 'llmperf PR#99'],
      sees: () => ({ ...right, itlMs: [TTFT_MS, ...gaps(DELIVERED - 1, GAP_MS)] }),
    },
    {
      kind: 'ttft-in-tpot',
      what: 'divides E2E, prefill included, by the tokens and calls it TPOT',
      arithmetic: 'TPOT 380 / 10 = 38 (+90 %), which is NTPOT',
      sees: () => ({ ...right, tpotMs: 38 }),
    },
    {
      kind: 'tpot-by-n',
      what: 'divides the decode time by all tokens in place of the gaps between them',
      arithmetic: 'TPOT 180 / 10 = 18 (−10 %)',
      sees: () => ({ ...right, tpotMs: 18 }),
    },
  ],
} satisfies ScriptedProbe;
