import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { headersAsToken } from '../kit/faults.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'the head flushed at 5 ms, the first token at 200',
  about:
    'One half of a pair with head-with-token: there the same server holds its head back. A TTFT that differs between the two times the head.',
  source: 'arithmetic of M',
  right: 'TTFT 200, here and with head-with-token',
  judges: ['ttft'],
  answer: (asked) => plain(asked),
  sees: () => M,
  known: [headersAsToken(HEAD_MS, 'TTFT 5 (−97.5 %), and 200 with head-with-token')],
} satisfies ScriptedProbe;
