import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { chunked, raw } from '../kit/wire.ts';

const HEAD =
  'HTTP/1.1 200 OK\r\nCoNtEnT-TyPe: text/event-stream\r\nCACHE-CONTROL: no-cache\r\nTRANSFER-ENCODING: Chunked\r\n\r\n';

export default {
  scope: 'request',
  title: 'field names and the coding’s name in odd case',
  about:
    'CoNtEnT-TyPe and TRANSFER-ENCODING: Chunked. Names of fields and of transfer codings have no case; a client that looks for them letter by letter finds no framing.',
  source: 'RFC 9110 §5.1 (field names), RFC 9112 §7 (transfer-coding names are case-insensitive)',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => raw([{ atMs: HEAD_MS, body: HEAD }, ...chunked(plainPieces(asked))]),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
