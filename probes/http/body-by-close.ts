import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { WHOLE_BODY } from '../kit/faults.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a stream without a length: the end of the connection is its end',
  about:
    'Neither content-length nor chunked: the body is whatever comes until the server closes. Servers and proxies that speak no chunked coding answer so.',
  source: 'RFC 9112 §6.3 item 8; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success', 'ttft', 'itl'],
  answer: (asked) => plain(asked, { framing: 'close' }),
  sees: () => M,
  known: [WHOLE_BODY],
} satisfies ScriptedProbe;
