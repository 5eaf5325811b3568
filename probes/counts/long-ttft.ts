import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, TOKENS } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const FIRST_MS = 2000;
/** 2,000 + 49 · 20. */
const END_MS = 2980;
const right = likeM({ ttftMs: FIRST_MS, e2eMs: END_MS });

export default {
  scope: 'run',
  title: 'the first token at 2 s, then M’s pace',
  about:
    'A long prompt, or a queue: TTFT is a hundred gaps long. Where TTFT gets into the gaps it takes their mean over.',
  source: 'arithmetic: 2,000 + 49 · 20 = 2,980',
  right: 'TTFT 2,000, E2E 2,980, 49 gaps of 20, TPOT 980 / 49 = 20, NTPOT 2,980 / 50 = 59.6',
  judges: ['itl', 'tpot', 'ttft'],
  answer: (asked) => streamed(answerOf(asked, TOKENS, { firstMs: FIRST_MS })),
  sees: () => right,
  known: [
    {
      ...KIND.ttftInItl,
      arithmetic:
        'mean ITL (2,000 + 49 · 20) / 50 = 59.6 (+198 %); its largest value is TTFT; the median stays 20',
      reported: ['vllm#7242', 'llmperf PR#99'],
      sees: () => ({ ...right, itlMs: [FIRST_MS, ...gaps(TOKENS - 1, GAP_MS)] }),
    },
    {
      kind: 'ttft-in-tpot',
      what: 'divides E2E, prefill included, by the tokens and calls it TPOT',
      arithmetic: 'TPOT 2,980 / 50 = 59.6 (+198 %), which is NTPOT',
      sees: () => ({ ...right, tpotMs: 59.6 }),
    },
    {
      ...KIND.headersAsToken,
      arithmetic: 'TTFT 5 (−99.8 %); TPOT (2,980 − 5) / 49 = 60.71',
      sees: () => ({ ...right, ttftMs: 5 }),
    },
  ],
} satisfies ScriptedProbe;
