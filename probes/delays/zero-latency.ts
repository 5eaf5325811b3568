import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { gaps, likeM, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'everything at once: the head and all 50 tokens in one write',
  about:
    'A server that takes no time, in 50 HTTP chunks of one event, and one segment if it fits. All figures are 0 but for what the client adds; none of them may be divided by.',
  source: 'arithmetic: all instants are 0',
  right: 'TTFT 0, E2E 0, ITL 0, TPOT 0, NTPOT 0, 50 tokens: each but for what the client adds',
  judges: ['success', 'tokens'],
  answer: (asked) =>
    streamed(
      plainPieces(asked).map(({ body }) => ({ atMs: 0, body })),
      { headMs: 0 },
    ),
  sees: () => likeM({ ttftMs: 0, e2eMs: 0, itlMs: gaps(TOKENS - 1, 0) }),
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk',
      arithmetic: '1 token (−98 %); no ITL, no TPOT',
      sees: () => likeM({ ttftMs: 0, e2eMs: 0, tokens: 1, itlMs: [] }),
    },
  ],
} satisfies ScriptedProbe;
