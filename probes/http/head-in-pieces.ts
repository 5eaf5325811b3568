import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { firstByteAsToken, headersAsToken } from '../kit/faults.ts';
import { M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { CHUNKED_HEAD, chunked, raw } from '../kit/wire.ts';

const CUTS = [0, 6, 14, 40, CHUNKED_HEAD.length - 2];

export default {
  scope: 'request',
  title: 'a head cut into five writes, 5 ms apart',
  about:
    'The cuts fall within the version, the reason, a field’s name, a field’s value, and between the two line ends that close the head. TCP has no messages: a head may come in any number of reads.',
  source: 'RFC 9112 §2.1: a message is a sequence of octets; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    raw([
      ...CUTS.map((from, i) => ({ atMs: 5 + i * 5, body: CHUNKED_HEAD.slice(from, CUTS[i + 1]) })),
      ...chunked(plainPieces(asked)),
    ]),
  sees: () => M,
  known: [
    firstByteAsToken(5, 'TTFT 5 (−97.5 %); TPOT (1,180 − 5) / 49 = 23.98'),
    headersAsToken(25, 'TTFT 25 (−87.5 %); TPOT (1,180 − 25) / 49 = 23.57'),
  ],
} satisfies ScriptedProbe;
