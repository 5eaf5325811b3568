import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { later, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const PINGS = [250, 500, 750, 1000, 1250, 1500, 1750];
const LATER = 1800;
const INSTANTS = TOKEN_INSTANTS.map((at) => at + LATER);

export default {
  scope: 'request',
  title: 'two seconds of comments, then the tokens',
  about:
    'While a request waits in a queue, servers send a comment now and then, here every 250 ms and with the CRLF of sse-starlette’s pings. The wait is TTFT; a client that ends it at the first ping hides the whole queue.',
  source: `${INTERPRETING}: “If the line starts with a U+003A COLON character (:): Ignore the line.”`,
  right: 'TTFT 2,000, E2E 2,980, ITL 20, TPOT 20, NTPOT 2,980 / 50 = 59.6',
  answer: (asked) =>
    streamed(
      woven(
        PINGS.map((atMs) => ({ atMs, body: `: ping - ${atMs}\r\n\r\n` })),
        later(plainPieces(asked), LATER),
      ),
    ),
  sees: () => seenAt(INSTANTS),
  known: [
    {
      kind: 'comment-as-token',
      what: 'takes a comment for an event, and any event for a token',
      arithmetic: 'TTFT 250 (−87.5 %); mean ITL (2,980 − 250) / 56 = 48.75; TPOT (2,980 − 250) / 49 = 55.71',
      reported: ['sglang PR#37986'],
      sees: () => seenAt(inOrder(PINGS, INSTANTS)),
    },
  ],
} satisfies ScriptedProbe;
