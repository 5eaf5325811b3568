import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain, STREAM_HEADERS } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'fields that come several times',
  about:
    'Two cache-control, two server-timing and two set-cookie lines, as a proxy’s and the server’s own. Repeated lines are one list, or in the case of set-cookie each its own; none of them changes the body.',
  source: 'RFC 9110 §5.3',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    plain(asked, {
      headers: [
        ...STREAM_HEADERS,
        ['server-timing', 'queue;dur=1'],
        ['set-cookie', 'a=1; Path=/'],
        ['cache-control', 'no-transform'],
        ['server-timing', 'prefill;dur=190'],
        ['set-cookie', 'b=2; Path=/'],
      ],
    }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
