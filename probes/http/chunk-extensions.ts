import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HEAD_MS, M } from '../kit/profile.ts';
import { httpChunk, plainPieces } from '../kit/stream.ts';
import { CHUNKED_HEAD, chunked, raw } from '../kit/wire.ts';

const EXTENSIONS = [';seq=1', ';flag', ';note="a;b c"', ';seq=1;flag'];

export default {
  scope: 'request',
  title: 'HTTP chunks with extensions behind their sizes',
  about:
    'Each chunk’s size is followed by extensions: a name, a name with a token, a name with a quoted string that holds a semicolon. They mean nothing to a client and must not be read as part of the size or of the data.',
  source: 'RFC 9112 §7.1.1: a recipient MUST ignore unrecognized chunk extensions',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    raw([
      { atMs: HEAD_MS, body: CHUNKED_HEAD },
      ...chunked(
        plainPieces(asked),
        (body, i) => httpChunk(body, EXTENSIONS[i % EXTENSIONS.length]),
        '0;last\r\n\r\n',
      ),
    ]),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
