import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain, STREAM_HEADERS } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'connection: keep-alive with keep-alive: timeout=1',
  about:
    'The server says how long it will keep the idle connection. A client may heed it or not; nothing in the answer changes.',
  source: 'RFC 9112 §9.3 and appendix C.2.2; RFC 2068 §19.7.1.1 for the field',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    plain(asked, {
      headers: [...STREAM_HEADERS, ['connection', 'keep-alive'], ['keep-alive', 'timeout=1, max=100']],
    }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
