import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { PARSING } from '../kit/grammar.ts';
import { ALL_AT_END, NOTHING_SEEN, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { LAST_MS, M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'a carriage return alone at the end of every line',
  about:
    'CR alone ends a line. It does so when it comes: a LF behind it would belong to the same line end and adds nothing. A parser that waits for the next byte, to see whether it is a LF, gives out each event when the next one comes.',
  source: `${PARSING}: end-of-line = ( cr lf / cr / lf )`,
  right: 'as with LF: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => event(data, '\r')),
  sees: () => M,
  known: [
    {
      kind: 'waits-behind-cr',
      what: 'takes a CR at the end of a segment for a line end only when the next segment is there',
      arithmetic: 'TTFT 220 (+10 %); E2E 1,180; TPOT 960 / 49 = 19.59',
      sees: () => seenAt(TOKEN_INSTANTS.map((at) => Math.min(at + 20, LAST_MS))),
    },
    {
      kind: 'lf-lf-only',
      what: 'splits at line feeds only, and reads what is left when the body ends',
      arithmetic: 'TTFT 1,180 (+490 %); mean ITL 0; TPOT 0',
      sees: () => ALL_AT_END,
    },
    {
      kind: 'events-lost',
      what: 'splits at line feeds only, drops what is left, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
