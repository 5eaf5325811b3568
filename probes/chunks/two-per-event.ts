import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { gapsBetween, likeM, TTFT_MS } from '../kit/profile.ts';
import { burstGaps, bursts } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

/** 1 token at 200, 24 events of 2 from 240 on, 1 at 1,180. */
const EVENTS = [
  { atMs: TTFT_MS, tokens: 1 },
  ...Array.from({ length: 24 }, (_, i) => ({ atMs: 240 + 40 * i, tokens: 2 })),
  { atMs: 1180, tokens: 1 },
];
const chunkGaps = gapsBetween(EVENTS.map(({ atMs }) => atMs));

export default {
  scope: 'request',
  title: 'two tokens an event, events 40 ms apart',
  about:
    'Speculative decoding, or a server that flushes every second step: the tokens come at M’s pace, two by two (the first one and the last one alone, so that TTFT, E2E and TPOT stay M’s). Gaps between events are twice the gaps between tokens, and half as many.',
  source:
    'docs/metrics.md: ITL is the gap between successive output tokens; (40 + 0) · 24 + 20 = 980 over 49 gaps',
  right: 'TPOT 980 / 49 = 20; ITL 24 × 40, 24 × 0 and 20: mean 20',
  judges: ['itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => streamed(bursts(asked, EVENTS)),
  sees: () => likeM({ itlMs: burstGaps(EVENTS) }),
  known: [
    {
      ...KIND.gapsBetweenChunks,
      arithmetic: '25 gaps: 24 × 40 and 20; mean ITL 980 / 25 = 39.2 (+96 %)',
      reported: ['vllm#27485'],
      sees: () => likeM({ itlMs: chunkGaps }),
    },
    {
      ...KIND.chunksAsTokens,
      arithmetic: '26 tokens (−48 %); TPOT 980 / 25 = 39.2; NTPOT 1,180 / 26 = 45.38',
      sees: () => likeM({ tokens: EVENTS.length, itlMs: chunkGaps }),
    },
  ],
} satisfies ScriptedProbe;
