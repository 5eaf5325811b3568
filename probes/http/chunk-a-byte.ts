import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { bytesOf, httpChunk, joined, plainPieces } from '../kit/stream.ts';
import { CHUNKED_HEAD, chunked, raw } from '../kit/wire.ts';

const bytewise = (body: string | Uint8Array): Uint8Array =>
  joined(...Array.from(bytesOf(body), (byte) => httpChunk(Uint8Array.of(byte))));

export default {
  scope: 'request',
  title: 'every tenth event in chunks of one byte',
  about:
    'Some events come as one HTTP chunk a byte, all in one write. What is a token follows from the events, however many chunks they are made of.',
  source: 'RFC 9112 §7.1: chunk-size may be 1; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success', 'tokens'],
  answer: (asked) =>
    raw([
      { atMs: HEAD_MS, body: CHUNKED_HEAD },
      ...chunked(plainPieces(asked), (body, i) => (i % 10 === 0 ? bytewise(body) : httpChunk(body))),
    ]),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
