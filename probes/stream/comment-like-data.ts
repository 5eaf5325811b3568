import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'comments that look like data',
  about:
    'In every gap there is a comment that holds a whole data line, as a debugging proxy writes: `: data: {…}`. It begins with a colon, so it is a comment, whatever stands behind.',
  source: `${INTERPRETING}: “If the line starts with a U+003A COLON character (:): Ignore the line.”`,
  right: 'as without comments: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    streamed(
      woven(
        inEveryGap((i) => `:${i % 2 === 0 ? ' ' : ''}${event(chunk(asked))}`),
        plainPieces(asked),
      ),
    ),
  sees: () => M,
  known: [
    {
      kind: 'data-anywhere',
      what: 'looks for `data:` anywhere in a line: takes each comment for a token',
      arithmetic: 'mean ITL 980 / 98 = 10 (−50 %)',
      sees: () => seenAt(inOrder(TOKEN_INSTANTS, MIDDLES)),
    },
  ],
} satisfies ScriptedProbe;
