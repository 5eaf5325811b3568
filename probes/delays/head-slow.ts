import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { likeM } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'the connection is accepted at once, head and first token come after a second',
  about:
    'The server reads the request and says nothing for a second. A clock that starts when the head is there, as where a program awaits the response and then looks at the time, does not see that second.',
  source: 'arithmetic: 1,000 + 49 · 20 = 1,980; TTFT and E2E run from when the request was sent',
  right: 'TTFT 1,000, E2E 1,980, ITL 20, TPOT 20',
  judges: ['ttft', 'e2e'],
  answer: (asked) =>
    streamed(
      plainPieces(asked).map(({ atMs, body }) => ({ atMs: atMs + 800, body })),
      { headMs: 1000 },
    ),
  sees: () => likeM({ ttftMs: 1000, e2eMs: 1980 }),
  known: [
    {
      kind: 'clock-from-head',
      what: 'starts its clock when the response head has come',
      arithmetic: 'TTFT 0 (−100 %); E2E 980 (−51 %)',
      sees: () => likeM({ ttftMs: 0, e2eMs: 980 }),
    },
  ],
} satisfies ScriptedProbe;
