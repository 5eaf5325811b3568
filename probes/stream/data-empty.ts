import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const BEFORE = [50, 100, 150];
const spell = (i: number): string => (i % 2 === 0 ? 'data:\n\n' : 'data: \n\n');

export default {
  scope: 'request',
  title: 'events with empty data, before the first token and between tokens',
  about:
    '`data:` and `data: ` by turns, each with its empty line. Such an event is dispatched, with an empty string for its data: there is nothing to parse, and no token in it. A client that parses every event’s data fails here.',
  source: `${INTERPRETING}: “data” with an empty value appends a line feed, so the data buffer is not empty and the event is dispatched with empty data`,
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
      what: 'takes any event for a token, whatever is in it',
      arithmetic:
        'TTFT 50 (−75 %); mean ITL (1,180 − 50) / 101 = 11.19; TPOT (1,180 − 50) / 49 = 23.06 (+15 %)',
      sees: () => seenAt(inOrder(BEFORE, MIDDLES, TOKEN_INSTANTS)),
    },
  ],
} satisfies ScriptedProbe;
