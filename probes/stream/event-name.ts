import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { INTERPRETING, OPENAI_STREAM } from '../kit/grammar.ts';
import { NOTHING_SEEN } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: '`event: completion.chunk` in front of every data line',
  about:
    'Gateways name their events by the object that they hold. A browser’s EventSource would hand such an event to listeners of that name only; an API client listens to the stream, and the data are chunks like any other. To leave them all out and report a success is a fault.',
  source: `${INTERPRETING}: the event field names the event’s type and leaves its data as they are; ${OPENAI_STREAM}`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => `event: completion.chunk\n${event(data)}`),
  sees: () => M,
  known: [
    {
      kind: 'events-lost',
      what: 'listens for events without a name only, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
