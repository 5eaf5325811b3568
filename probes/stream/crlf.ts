import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { PARSING } from '../kit/grammar.ts';
import { ALL_AT_END, NOTHING_SEEN } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'CRLF at the end of every line',
  about:
    'sse-starlette, which many Python servers use, ends its lines with CRLF. A client that looks for two line feeds in a row finds none before the body ends.',
  source: `${PARSING}: end-of-line = ( cr lf / cr / lf )`,
  right: 'as with LF: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => event(data, '\r\n')),
  sees: () => M,
  known: [
    {
      kind: 'lf-lf-only',
      what: 'splits at two line feeds only, and reads what is left when the body ends',
      arithmetic: 'TTFT 1,180 (+490 %); mean ITL 0; TPOT 0',
      sees: () => ALL_AT_END,
    },
    {
      kind: 'events-lost',
      what: 'splits at two line feeds only, drops what is left, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
