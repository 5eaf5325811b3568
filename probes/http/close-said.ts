import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  title: 'chunked, with connection: close, and closed right behind the end',
  about:
    'The server says that it will close, and does. The body has its own end, so nothing is lost; the client needs another connection for its next request and must not blame this one.',
  source: 'RFC 9112 §9.6',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => closing(plainPieces(asked)),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
