import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { isOdd, oddLost } from '../kit/every-second.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'a comment line in an event, in front of its data',
  about:
    'A proxy’s comment need not have an empty line of its own: it may stand in front of the data line of an event, here of every second token. The comment is ignored, the event is not.',
  source: `${INTERPRETING}: lines are taken one by one; a comment line is ignored and ends no event`,
  right: 'as without comments: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data, i) => (isOdd(i) ? `: ping\n${event(data)}` : event(data))),
  sees: () => M,
  known: [oddLost('drops the whole event that begins with a comment')],
} satisfies ScriptedProbe;
