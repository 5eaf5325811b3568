import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { bytesOf, merged, plain } from '../kit/stream.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

export default {
  scope: 'request',
  title: '100 Continue that nobody asked for, in one write with the head',
  about:
    'Servers that always send 100 Continue exist. Its head and that of the answer come in one read; a parser that stops behind the first takes the second for a body.',
  source:
    'RFC 9110 §15.2.1: a client that did not send the expectation can simply discard the interim answer',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => {
    const { writes, ending } = plain(asked);
    return { writes: merged([{ atMs: HEAD_MS, bytes: bytesOf(CONTINUE) }, ...writes]), ending };
  },
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
