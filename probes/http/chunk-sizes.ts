import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { bytesOf, joined, plainPieces } from '../kit/stream.ts';
import { CHUNKED_HEAD, chunked, raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  title: 'chunk sizes in upper case and with leading zeros',
  about:
    'A chunk’s size is hexadecimal digits of either case, as many as the server likes: 00FA is as good as fa, and the last chunk may be 0000.',
  source:
    'RFC 9112 §7.1: chunk-size = 1*HEXDIG, last-chunk = 1*("0"); RFC 5234 §2.3: literals of a grammar are case-insensitive',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    raw([
      { atMs: HEAD_MS, body: CHUNKED_HEAD },
      ...chunked(
        plainPieces(asked),
        (body) => {
          const size = bytesOf(body).length.toString(16).toUpperCase().padStart(8, '0');
          return joined(`${size}\r\n`, body, '\r\n');
        },
        '0000\r\n\r\n',
      ),
    ]),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
