import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, LAST_MS, M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { raw } from '../kit/wire.ts';

const HEAD = 'HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\r\n';

export default {
  scope: 'request',
  title: 'an answer in HTTP/1.0, ended by the close of the connection',
  about:
    'Old proxies answer an HTTP/1.1 request with an HTTP/1.0 status line. The version says what the sender can do; this answer holds nothing that an HTTP/1.1 client could not read.',
  source: 'RFC 9112 §2.3 and §6.3 item 8; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    raw([{ atMs: HEAD_MS, body: HEAD }, ...plainPieces(asked)], { kind: 'close', atMs: LAST_MS }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
