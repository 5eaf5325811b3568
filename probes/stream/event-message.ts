import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { NOTHING_SEEN } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: '`event: message` in front of every data line',
  about:
    '`message` is the name that an event has without one, so spelling it out changes nothing. A client that cuts `data: ` off the front of an event, and takes the rest for JSON, stumbles over the first line.',
  source: `${INTERPRETING}: an event whose type is not set has the type “message”`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => `event: message\n${event(data)}`),
  sees: () => M,
  known: [
    {
      kind: 'events-lost',
      what: 'drops an event whose first line is not data, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
