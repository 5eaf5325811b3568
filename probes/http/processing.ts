import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { firstByteAsToken } from '../kit/faults.ts';
import { M, TTFT_MS } from '../kit/profile.ts';
import { bytesOf, plain } from '../kit/stream.ts';

const NOTE = 'HTTP/1.1 102 Processing\r\n\r\n';

export default {
  scope: 'request',
  title: '102 Processing at 5 and at 105 ms, the answer’s own head with the first token',
  about:
    'A server or proxy that says “still at it” twice before it answers. A client need not know the code, but must pass over it, and over the second one as well.',
  source: 'RFC 9110 §15.2: a user agent MAY ignore unexpected 1xx answers, and MUST be able to parse several',
  right: 'TTFT 200, as M',
  judges: ['success', 'ttft'],
  answer: (asked) => {
    const { writes, ending } = plain(asked, { headMs: TTFT_MS });
    const notes = [5, 105].map((atMs) => ({ atMs, bytes: bytesOf(NOTE) }));
    return { writes: [...notes, ...writes], ending };
  },
  sees: () => M,
  known: [firstByteAsToken(5, 'TTFT 5 (−97.5 %); TPOT (1,180 − 5) / 49 = 23.98')],
} satisfies ScriptedProbe;
