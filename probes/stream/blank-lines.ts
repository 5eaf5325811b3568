import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const BEFORE = [50];
const spell = (i: number): string => (i % 2 === 0 ? '\n\n' : '\n\n\n');

export default {
  scope: 'request',
  title: 'empty lines before the first token and between tokens',
  about:
    'An empty line ends an event; where none was begun, nothing is dispatched. Here two or three stand at 50 ms and in every gap: a client that takes the text between two pairs of line feeds for an event finds empty ones.',
  source: `${INTERPRETING}: “If the data buffer is an empty string, set the data buffer and the event type buffer to the empty string and return.”`,
  right: 'as without them: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    streamed(
      woven(
        BEFORE.map((atMs, i) => ({ atMs, body: spell(i) })),
        inEveryGap(spell),
        plainPieces(asked),
      ),
    ),
  sees: () => M,
  known: [
    {
      kind: 'event-as-token',
      what: 'takes empty text between two empty lines for an event, and any event for a token',
      arithmetic:
        'TTFT 50 (−75 %); mean ITL (1,180 − 50) / 99 = 11.41; TPOT (1,180 − 50) / 49 = 23.06 (+15 %)',
      sees: () => seenAt(inOrder(BEFORE, MIDDLES, TOKEN_INSTANTS)),
    },
  ],
} satisfies ScriptedProbe;
