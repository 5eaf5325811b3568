import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a status line without a reason',
  about:
    'The line is “HTTP/1.1 200 ” with its space and nothing behind it. HTTP/2 has no reasons at all, so proxies in front of it have none to give.',
  source: 'RFC 9112 §4: reason-phrase is optional, its space is not; a client SHOULD ignore it',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { status: '200 ' }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
