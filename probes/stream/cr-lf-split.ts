import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { PARSING } from '../kit/grammar.ts';
import { inOrder, NOTHING_SEEN, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { cutPieces, spelledPieces } from '../kit/spelling.ts';
import { streamed } from '../kit/stream.ts';

const EARLY = 15;
/** The object’s first field ends at a comma; both parts and their line feed are the JSON that was cut. */
const twoLines = (data: string): string => data.replace(/^(\{[^,]*,)/, '$1\r\ndata: ');

export default {
  scope: 'request',
  title: 'CR in one segment, its LF in the next',
  about:
    'Each event has two data lines. The first ends with CRLF, and the segment ends between CR and LF; the rest comes 15 ms later, at the token’s instant. CR and LF are one line end: a client that sees two finds an empty line between the halves, and dispatches half an object.',
  source: `${PARSING}: end-of-line = ( cr lf / cr / lf ): CRLF is one, however it is cut`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: the event is whole at its empty line',
  answer: (asked) =>
    streamed(
      cutPieces(
        spelledPieces(asked, (data) => `data: ${twoLines(data)}\r\n\r\n`),
        EARLY,
        (bytes) => bytes.indexOf(0x0d) + 1,
      ),
    ),
  sees: () => M,
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk',
      arithmetic:
        'TTFT 185 (−7.5 %); mean ITL (1,180 − 185) / 99 = 10.05 (−50 %); TPOT (1,180 − 185) / 49 = 20.31',
      sees: () =>
        seenAt(
          inOrder(
            TOKEN_INSTANTS,
            TOKEN_INSTANTS.map((at) => at - EARLY),
          ),
        ),
    },
    {
      kind: 'events-lost',
      what: 'drops events that it cannot read, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
