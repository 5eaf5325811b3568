import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { chunked, raw } from '../kit/wire.ts';

const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: \t text/event-stream; charset=utf-8 \t\r\ncache-control:    no-cache\r\ntransfer-encoding:chunked\r\n\r\n';

export default {
  scope: 'request',
  title: 'no space, tabs and many spaces around field values',
  about:
    'Optional white space before and behind a field’s value belongs to neither. Here transfer-encoding has none, content-type has tabs and spaces on both sides.',
  source: 'RFC 9112 §5: field-line = field-name ":" OWS field-value OWS',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => raw([{ atMs: HEAD_MS, body: HEAD }, ...chunked(plainPieces(asked))]),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
