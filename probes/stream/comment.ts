import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const BEFORE = [50, 100, 150];
const spell = (i: number): string => (i % 2 === 0 ? ': ping\n\n' : ':\n\n');

export default {
  scope: 'request',
  title: 'comment lines before the first token and between tokens',
  about:
    'Servers and proxies send comments to keep a connection open: `: ping` and a bare `:` by turns, at 50, 100 and 150 ms, then in the middle of every gap. A comment is no event, so no figure changes.',
  source: `${INTERPRETING}: “If the line starts with a U+003A COLON character (:): Ignore the line.”`,
  right: 'as without comments: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
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
      kind: 'comment-as-token',
      what: 'takes a comment for an event, and any event for a token',
      arithmetic:
        'TTFT 50 (−75 %); mean ITL (1,180 − 50) / 101 = 11.19; TPOT (1,180 − 50) / 49 = 23.06 (+15 %)',
      reported: ['sglang PR#37986'],
      sees: () => seenAt(inOrder(BEFORE, MIDDLES, TOKEN_INSTANTS)),
    },
  ],
} satisfies ScriptedProbe;
