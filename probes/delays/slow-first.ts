import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { GAP_MS, gaps, likeM, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const LATER_MS = 1800;
const SLOW = likeM({ ttftMs: 2000, e2eMs: 2980 });

export default {
  scope: 'request',
  title: 'the first token after two seconds, then as M',
  about:
    'A long prompt, or a queue in front of the server. The wait is TTFT’s and E2E’s alone: the tokens come 20 ms apart once they come.',
  source: 'arithmetic: 2,000 + 49 · 20 = 2,980',
  right: 'TTFT 2,000, E2E 2,980, ITL 20, TPOT 980 / 49 = 20, NTPOT 59.6',
  judges: ['itl', 'tpot'],
  answer: (asked) => streamed(plainPieces(asked).map(({ atMs, body }) => ({ atMs: atMs + LATER_MS, body }))),
  sees: () => SLOW,
  known: [
    {
      kind: 'ttft-in-itl',
      what: 'counts TTFT as the first gap between tokens',
      arithmetic: 'mean ITL (2,000 + 49 · 20) / 50 = 59.6 (+198 %); its largest value is TTFT',
      reported: ['vllm#7242', 'llmperf PR#99'],
      sees: () => ({ ...SLOW, itlMs: [2000, ...gaps(TOKENS - 1, GAP_MS)] }),
    },
  ],
} satisfies ScriptedProbe;
