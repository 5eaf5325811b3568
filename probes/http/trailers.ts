import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { CHUNKED_HEAD, chunked, raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  title: 'trailer fields behind the last chunk',
  about:
    'The body’s last chunk is followed by two fields, as servers send a checksum or their own timing. The next answer on the connection begins behind them.',
  source: 'RFC 9112 §7.1.2: a recipient MAY retain or discard trailer fields',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    raw([
      {
        atMs: HEAD_MS,
        body: CHUNKED_HEAD.replace('\r\n\r\n', '\r\ntrailer: server-timing, x-digest\r\n\r\n'),
      },
      ...chunked(
        plainPieces(asked),
        undefined,
        '0\r\nserver-timing: decode;dur=980\r\nx-digest: 6f1ed002ab5595859014ebf0951522d9\r\n\r\n',
      ),
    ]),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
