import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { gaps, likeM, M, TOKENS } from '../kit/profile.ts';
import { among } from '../kit/shapes.ts';
import { plainPieces, streamed, tokenMs } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a chunk with empty content 10 ms after each token but the last',
  about:
    'A server whose detokenizer holds back half a character, or whose tool parser is undecided, sends deltas with empty content between those with text: 49 of them here. They are no tokens and end no gap.',
  source: 'arithmetic of M; an empty delta is no output token (docs/metrics.md)',
  right: '49 gaps of 20, TPOT 20, 50 tokens',
  judges: ['itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => {
    const empty = event(chunk(asked, { delta: { content: '' } }));
    const between = Array.from({ length: TOKENS - 1 }, (_, i) => ({ atMs: tokenMs(i) + 10, body: empty }));
    return streamed(among(plainPieces(asked), between));
  },
  sees: () => M,
  known: [
    {
      ...KIND.emptyAsToken,
      arithmetic: '50 + 49 = 99 tokens; 98 gaps of 10 (−50 %); TPOT 980 / 98 = 10; NTPOT 1,180 / 99 = 11.92',
      sees: () => likeM({ tokens: 99, itlMs: gaps(98, 10) }),
    },
  ],
} satisfies ScriptedProbe;
