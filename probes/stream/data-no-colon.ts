import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { isOdd, oddLost } from '../kit/every-second.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: '`data` without a colon in front of the data line of every second event',
  about:
    'A line `data` without a colon is a data field with an empty value, so the event’s data begin with a line feed. JSON allows white space in front. A client that reads only the first data line of an event finds it empty.',
  source: `${INTERPRETING}: “using the whole line as the field name, and the empty string as the field value”; RFC 8259 §2: white space before any value`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data, i) => (isOdd(i) ? `data\n${event(data)}` : event(data))),
  sees: () => M,
  known: [oddLost('reads the first data line of an event only, and drops an event without data')],
} satisfies ScriptedProbe;
