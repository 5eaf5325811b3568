import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, gapsBetween, likeM, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { type Burst, burstGaps, bursts } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

/** 1 token at 200, then 1, 2 and 4 in turn, seven times; an event of k tokens comes 20 k ms after the one before it. */
const EVENTS: Burst[] = [{ atMs: TTFT_MS, tokens: 1 }];
for (let i = 0; i < 21; i++) {
  const tokens = [1, 2, 4][i % 3]!;
  EVENTS.push({ atMs: EVENTS.at(-1)!.atMs + tokens * GAP_MS, tokens });
}
const chunkGaps = gapsBetween(EVENTS.map(({ atMs }) => atMs));

export default {
  scope: 'request',
  title: 'one, two and four tokens an event in turn',
  about:
    'An event of k tokens comes 20 · k ms after the one before it, so that TPOT and the mean gap stay M’s. Percentiles of gaps cannot be mended: when the tokens within an event were made is not in the stream.',
  source:
    'docs/metrics.md: ITL is the gap between successive output tokens; (20 + 40 + 80) · 7 = 980 over 49 gaps',
  right: 'TPOT 980 / 49 = 20; ITL 7 × 20, 7 × 40, 7 × 80 and 28 × 0: mean 20, median 0',
  judges: ['itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => streamed(bursts(asked, EVENTS)),
  sees: () => likeM({ itlMs: burstGaps(EVENTS) }),
  known: [
    {
      ...KIND.gapsBetweenChunks,
      arithmetic: '21 gaps; mean ITL 980 / 21 = 46.67 (+133 %), median 40',
      reported: ['vllm#27485'],
      sees: () => likeM({ itlMs: chunkGaps }),
    },
    {
      ...KIND.gapsSpread,
      arithmetic: '49 gaps of 20: mean and median 20',
      sees: () => likeM({ itlMs: gaps(TOKENS - 1, GAP_MS) }),
    },
    {
      ...KIND.chunksAsTokens,
      arithmetic: '22 tokens (−56 %); TPOT 980 / 21 = 46.67; NTPOT 1,180 / 22 = 53.64',
      sees: () => likeM({ tokens: EVENTS.length, itlMs: chunkGaps }),
    },
  ],
} satisfies ScriptedProbe;
