import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { likeM } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'the first token 6 ms after the request',
  about:
    'A cached prompt on an idle server. What a client itself adds shows here as nowhere else: its connection and its parser are within these 6 ms.',
  source: 'arithmetic: 6 + 49 · 20 = 986',
  right: 'TTFT 6, E2E 986, ITL 20, TPOT 20, NTPOT 19.72',
  judges: ['ttft', 'e2e'],
  answer: (asked) => streamed(plainPieces(asked).map(({ atMs, body }) => ({ atMs: atMs - 194, body }))),
  sees: () => likeM({ ttftMs: 6, e2eMs: 986 }),
  known: [],
} satisfies ScriptedProbe;
