import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { gapsBetween, likeM, M, TOKENS } from '../kit/profile.ts';
import { among } from '../kit/shapes.ts';
import { plainPieces, streamed, tokenMs } from '../kit/stream.ts';

const ABSENT_MS = 100;
const NULL_MS = 690;
const instants = [ABSENT_MS, NULL_MS, ...Array.from({ length: TOKENS }, (_, i) => tokenMs(i))];
const itlMs = gapsBetween(instants.sort((a, b) => a - b));

export default {
  scope: 'request',
  fragile: true,
  title:
    'two chunks to keep the connection alive: one without choices at 100 ms, one with choices null at 690',
  about:
    'Gateways send JSON of no meaning while a model is slow: the envelope without choices, or with null. A client that reads `choices[0]` fails; one that counts chunks counts them.',
  source: 'arithmetic of M; a chunk without a choice holds no token (docs/metrics.md)',
  right: 'TTFT 200, 49 gaps of 20, TPOT 20, 50 tokens',
  judges: ['ttft', 'itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) =>
    streamed(
      among(plainPieces(asked), [
        { atMs: ABSENT_MS, body: event(chunk(asked, { extra: { choices: undefined } })) },
        { atMs: NULL_MS, body: event(chunk(asked, { choices: null })) },
      ]),
    ),
  sees: () => M,
  known: [
    {
      ...KIND.firstChunkAsToken,
      arithmetic:
        'TTFT 100 (−50 %); 51 gaps: 100, 48 × 20, 2 × 10: mean 1,080 / 51 = 21.18; TPOT (1,180 − 100) / 49 = 22.04',
      sees: () => likeM({ ttftMs: ABSENT_MS, itlMs }),
    },
    {
      ...KIND.chunksAsTokens,
      arithmetic: '52 tokens; TTFT 100; TPOT 1,080 / 51 = 21.18; NTPOT 1,180 / 52 = 22.69',
      sees: () => likeM({ ttftMs: ABSENT_MS, itlMs, tokens: 52 }),
    },
  ],
} satisfies ScriptedProbe;
