import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { NOTHING_SEEN } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'no space behind the colon: `data:{…}`',
  about:
    'The space behind the colon is optional, and some servers leave it out. A client that looks for `data: ` with its space knows no event.',
  source: `${INTERPRETING}: “If value starts with a U+0020 SPACE character, remove it from value.”`,
  right: 'as with the space: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => `data:${data}\n\n`),
  sees: () => M,
  known: [
    {
      kind: 'events-lost',
      what: 'knows `data: ` only with its space, drops every event, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
