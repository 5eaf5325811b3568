import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { LAST_MS, M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'run',
  requests: 24,
  rateRps: 10,
  title: 'the connection closed right behind each answer, without a word',
  about:
    'The head does not say close, yet FIN follows the last chunk. The next request comes 20 ms later at the earliest, so a client has had the time to see it: it opens another connection, and fails nothing.',
  source: 'RFC 9112 §9.5: a client SHOULD watch an idle connection for its closure; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens; no request fails',
  judges: ['success'],
  answer: (asked) => plain(asked, { ending: { kind: 'close', atMs: LAST_MS } }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
