import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'fields called `Data` and `DATA` between the tokens',
  about:
    'In every gap there is an event whose only field is `Data` or `DATA`. Names are compared as they are: these fields are unknown, the events have no data, and nothing is dispatched.',
  source: `${INTERPRETING}: “Field names must be compared literally, with no case folding performed.”`,
  right: 'as without them: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    streamed(
      woven(
        inEveryGap((i) => `${i % 2 === 0 ? 'Data' : 'DATA'}: ${chunk(asked)}\n\n`),
        plainPieces(asked),
      ),
    ),
  sees: () => M,
  known: [
    {
      kind: 'case-folded-field',
      what: 'compares field names without regard to case: takes each such field for a token',
      arithmetic: 'mean ITL 980 / 98 = 10 (−50 %)',
      sees: () => seenAt(inOrder(TOKEN_INSTANTS, MIDDLES)),
    },
  ],
} satisfies ScriptedProbe;
