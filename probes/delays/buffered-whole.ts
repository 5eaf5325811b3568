import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { headersAsToken } from '../kit/faults.ts';
import { gaps, HEAD_MS, LAST_MS, likeM, TOKENS } from '../kit/profile.ts';
import { joined, plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a proxy that keeps the answer back until it is whole',
  about:
    'The head comes at 5 ms, all events in one HTTP chunk at 1,180: what a proxy with buffering makes of M. Nothing could be read before, so that is the TTFT; a client must still find 50 tokens in the one chunk.',
  source: 'arithmetic: all tokens at 1,180',
  right: 'TTFT 1,180, E2E 1,180, ITL 0, TPOT 0, NTPOT 23.6, 50 tokens',
  judges: ['success', 'tokens', 'ttft'],
  answer: (asked) =>
    streamed([{ atMs: LAST_MS, body: joined(...plainPieces(asked).map(({ body }) => body)) }]),
  sees: () => likeM({ ttftMs: LAST_MS, itlMs: gaps(TOKENS - 1, 0) }),
  known: [
    headersAsToken(
      HEAD_MS,
      'TTFT 5 (−99.6 %); TPOT (1,180 − 5) / 49 = 23.98',
      likeM({ ttftMs: HEAD_MS, itlMs: gaps(TOKENS - 1, 0) }),
    ),
    {
      kind: 'read-as-token',
      what: 'takes what one read returns for one token',
      arithmetic: '1 token (−98 %); no ITL, no TPOT',
      sees: () => likeM({ ttftMs: LAST_MS, tokens: 1, itlMs: [] }),
    },
  ],
} satisfies ScriptedProbe;
