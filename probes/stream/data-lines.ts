import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { NOTHING_SEEN } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

/** Pretty-printed JSON has its line breaks between tokens of the grammar, where white space may stand. */
const lines = (data: string): string[] =>
  data.startsWith('{') ? JSON.stringify(JSON.parse(data), null, 1).split('\n') : [data];

export default {
  scope: 'request',
  title: 'one event’s JSON over many data lines',
  about:
    'An event may have any number of data lines; they are joined with line feeds. Pretty-printed JSON is sent that way. A client that takes each line for an event reads `{` and fails, or drops it.',
  source: `${INTERPRETING}, field “data”: “Append the field value to the data buffer, then append a single U+000A LINE FEED (LF) character”; white space between JSON tokens: RFC 8259 §2`,
  right: 'as with one line: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    everyEvent(
      asked,
      (data) =>
        `${lines(data)
          .map((line) => `data: ${line}\n`)
          .join('')}\n`,
    ),
  sees: () => M,
  known: [
    {
      kind: 'events-lost',
      what: 'takes each line for an event, drops what is not JSON, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
