import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { isOdd, oddLost } from '../kit/every-second.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'unknown fields beside the data of every second event',
  about:
    'Proxies add fields of their own: `x-trace: 7`, and a bare `cached` without a colon, which is a field with an empty value. Fields that are not known are ignored, their event is not.',
  source: `${INTERPRETING}: “Otherwise: The field is ignored.”; a line without a colon is “the whole line as the field name, and the empty string as the field value”`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    everyEvent(asked, (data, i) => (isOdd(i) ? `x-trace: ${i}\ncached\n${event(data)}` : event(data))),
  sees: () => M,
  known: [oddLost('drops an event whose first line is not data')],
} satisfies ScriptedProbe;
