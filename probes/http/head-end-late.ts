import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { firstByteAsToken, headersAsToken } from '../kit/faults.ts';
import { M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { CHUNKED_HEAD, chunked, raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  title: 'the empty line that ends the head 95 ms behind the rest',
  about:
    'Status and fields leave at 5 ms, the line end that closes the head at 100, the first token at 200. Three moments that are easily taken for one another lie apart.',
  source: 'RFC 9112 §2.1: the head ends with its empty line; arithmetic of M',
  right: 'TTFT 200, as M',
  judges: ['ttft'],
  answer: (asked) =>
    raw([
      { atMs: 5, body: CHUNKED_HEAD.slice(0, -2) },
      { atMs: 100, body: CHUNKED_HEAD.slice(-2) },
      ...chunked(plainPieces(asked)),
    ]),
  sees: () => M,
  known: [
    firstByteAsToken(5, 'TTFT 5 (−97.5 %); TPOT (1,180 − 5) / 49 = 23.98'),
    headersAsToken(100, 'TTFT 100 (−50 %); TPOT (1,180 − 100) / 49 = 22.04'),
  ],
} satisfies ScriptedProbe;
