import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: '`id:` and `retry:` in front of the data, or `id:` behind it, by turns',
  about:
    'Servers that can resume a stream number their events. The fields may stand before or behind the data, in any order; they mean nothing for a token. A client that takes what stands behind the first `data: ` for JSON reads the id along with it.',
  source: `${INTERPRETING}: fields of an event are processed line by line, in any order; “id” and “retry” leave the data buffer as it is`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    everyEvent(asked, (data, i) =>
      i % 2 === 0 ? `data: ${data}\nid: ${i}\n\n` : `id: ${i}\nretry: 3000\ndata: ${data}\n\n`,
    ),
  sees: () => M,
  known: [
    {
      kind: 'events-lost',
      what: 'drops an event whose first line is not data',
      arithmetic: 'E2E 1,160; mean ITL 960 / 24 = 40 (+100 %); TPOT 960 / 49 = 19.59',
      sees: () => seenAt(TOKEN_INSTANTS.filter((_, i) => i % 2 === 0)),
    },
    {
      kind: 'trailing-field-event-lost',
      what: 'takes all that stands behind `data: ` for JSON, and drops what does not parse',
      arithmetic: 'TTFT 220 (+10 %); mean ITL 960 / 24 = 40 (+100 %); TPOT 960 / 49 = 19.59',
      sees: () => seenAt(TOKEN_INSTANTS.filter((_, i) => i % 2 === 1)),
    },
  ],
} satisfies ScriptedProbe;
