import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

/** Tokens 2k and 2k + 1 leave together, 40 ms behind the pair before. */
const pairMs = (i: number): number => 200 + 40 * Math.floor(i / 2);

export default {
  scope: 'request',
  title: 'two events in one write, every 40 ms',
  about:
    'A server that is behind sends two events in one segment. There are still 50 events of one token; half of the gaps are 0. A client that takes a read for an event sees half of them.',
  source: `${INTERPRETING}: an event ends at its empty line, not with a segment; the last pair leaves at 200 + 24 · 40 = 1,160`,
  right:
    'TTFT 200, E2E 1,160, mean ITL 960 / 49 = 19.59, TPOT 960 / 49 = 19.59, NTPOT 1,160 / 50 = 23.2, 50 tokens',
  answer: (asked) => streamed(plainPieces(asked).map(({ body }, i) => ({ atMs: pairMs(i), body }))),
  sees: () => seenAt(TOKEN_INSTANTS.map((_, i) => pairMs(i))),
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk',
      arithmetic: 'mean ITL 960 / 24 = 40 (+104 %)',
      sees: () => seenAt(TOKEN_INSTANTS.slice(0, 25).map((_, k) => pairMs(2 * k))),
    },
  ],
} satisfies ScriptedProbe;
