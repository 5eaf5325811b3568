import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a space in front of `data:`, between the tokens',
  about:
    'In every gap there is an event whose only line begins with a space. The space belongs to the field’s name: ` data` is unknown, and nothing is dispatched. Clients that strip a line before they look at it take it for data.',
  source: `${INTERPRETING}: the field’s name is “the characters on the line before the first U+003A COLON character (:)”`,
  right: 'as without them: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    streamed(
      woven(
        inEveryGap(() => ` ${event(chunk(asked))}`),
        plainPieces(asked),
      ),
    ),
  sees: () => M,
  known: [
    {
      kind: 'stripped-line',
      what: 'strips white space in front of a line: takes each such field for a token',
      arithmetic: 'mean ITL 980 / 98 = 10 (−50 %)',
      sees: () => seenAt(inOrder(TOKEN_INSTANTS, MIDDLES)),
    },
  ],
} satisfies ScriptedProbe;
