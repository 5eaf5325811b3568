import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { PARSING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'a byte order mark at the start of the body',
  about:
    'A mark may stand in front of the stream. It belongs to the encoding, not to the first field’s name: a client that keeps it does not know the first event’s `data`, and loses the first token.',
  source: `${PARSING}: stream = [ bom ] *event; the UTF-8 decode algorithm strips one leading mark`,
  right: 'as without it: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data, i) => (i === 0 ? '\uFEFF' : '') + event(data)),
  sees: () => M,
  known: [
    {
      kind: 'first-event-lost',
      what: 'does not know the first event, and goes on',
      arithmetic: 'TTFT 220 (+10 %); TPOT (1,180 − 220) / 49 = 19.59',
      sees: () => seenAt(TOKEN_INSTANTS.slice(1)),
    },
  ],
} satisfies ScriptedProbe;
