import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { firstByteAsToken } from '../kit/faults.ts';
import { HEAD_MS, M, TTFT_MS } from '../kit/profile.ts';
import { bytesOf, plain } from '../kit/stream.ts';

const HINT = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload; as=style\r\n\r\n';

export default {
  scope: 'request',
  title: '103 Early Hints at 5 ms, the answer’s own head with the first token',
  about:
    'An informational answer comes first. It is no answer: the real one begins at 200 ms, together with its first token. A client that times the first byte times the hint.',
  source:
    'RFC 9110 §15.2: a client MUST be able to parse one or more 1xx answers before the final one; RFC 8297',
  right: 'TTFT 200, as M',
  judges: ['success', 'ttft'],
  answer: (asked) => {
    const { writes, ending } = plain(asked, { headMs: TTFT_MS });
    return { writes: [{ atMs: HEAD_MS, bytes: bytesOf(HINT) }, ...writes], ending };
  },
  sees: () => M,
  known: [firstByteAsToken(HEAD_MS, 'TTFT 5 (−97.5 %); TPOT (1,180 − 5) / 49 = 23.98')],
} satisfies ScriptedProbe;
