import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { LAST_MS, TTFT_MS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const halfMs = (i: number): number => (i < 25 ? TTFT_MS : LAST_MS);

export default {
  scope: 'request',
  title: '25 events in one write, twice',
  about:
    '25 events leave at 200 ms and 25 at 1,180. Sums are those of M, so the means are too; but 48 of the 49 gaps are 0. A client that takes a read for an event has one gap of 980.',
  source: `${INTERPRETING}: an event ends at its empty line, not with a segment; arithmetic: 980 / 49 = 20`,
  right: 'TTFT 200, E2E 1,180, mean ITL 980 / 49 = 20 and its median 0, TPOT 20, 50 tokens',
  answer: (asked) => streamed(plainPieces(asked).map(({ body }, i) => ({ atMs: halfMs(i), body }))),
  sees: () => seenAt(TOKEN_INSTANTS.map((_, i) => halfMs(i))),
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk, and takes the tokens from usage',
      arithmetic: 'mean ITL 980 (+4,800 %)',
      sees: () => seenAt([TTFT_MS, LAST_MS]),
    },
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk, and counts chunks',
      arithmetic: '2 tokens (−96 %); mean ITL 980; TPOT 980 / 1 = 980; NTPOT 1,180 / 2 = 590',
      sees: () => seenAt([TTFT_MS, LAST_MS], { tokens: 2 }),
    },
  ],
} satisfies ScriptedProbe;
