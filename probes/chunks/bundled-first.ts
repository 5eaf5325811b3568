import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM } from '../kit/profile.ts';
import { burstGaps, bursts } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const FIRST_MS = 380;
/** 10 tokens at 380, then 40, 20 ms apart. */
const EVENTS = [
  { atMs: FIRST_MS, tokens: 10 },
  ...Array.from({ length: 40 }, (_, i) => ({ atMs: 400 + GAP_MS * i, tokens: 1 })),
];
const right = likeM({ ttftMs: FIRST_MS, itlMs: burstGaps(EVENTS), tpotMs: 20 });

export default {
  scope: 'request',
  title: 'the first event carries 10 of 50 tokens, at 380 ms',
  about:
    'A proxy or a parser holds the first ten tokens back. Each later token takes 20 ms; the ten of the first event are paid for by TTFT, so that (E2E − TTFT) / (N − 1) divides the time of 40 tokens by 49. The more a server bundles, the faster it looks.',
  source:
    'decode time after the first event, over the tokens that came in it: (1,180 − 380) / (50 − 10) = 20; the formula is off by (N − k) / (N − 1)',
  right: 'TTFT 380; 40 gaps of 20; TPOT 800 / 40 = 20; 50 tokens',
  judges: ['tpot', 'itl'],
  answer: (asked) => streamed(bursts(asked, EVENTS)),
  sees: () => right,
  known: [
    {
      ...KIND.firstBurstInTpot,
      arithmetic: 'TPOT (1,180 − 380) / 49 = 16.33 (−18.4 %)',
      reported: ['aiperf PR#1279'],
      sees: () => ({ ...right, tpotMs: 800 / 49 }),
    },
    {
      ...KIND.burstAsZeroGaps,
      arithmetic: '9 gaps of 0 and 40 of 20: mean ITL 800 / 49 = 16.33 (−18.4 %)',
      sees: () => ({ ...right, tpotMs: 800 / 49, itlMs: [...gaps(9, 0), ...gaps(40, GAP_MS)] }),
    },
    {
      ...KIND.chunksAsTokens,
      arithmetic: '41 tokens (−18 %); TPOT 800 / 40 = 20; NTPOT 1,180 / 41 = 28.78',
      sees: () => ({ ...right, tokens: 41 }),
    },
  ],
} satisfies ScriptedProbe;
