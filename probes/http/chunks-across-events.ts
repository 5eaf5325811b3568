import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { joined, type Piece, plainPieces, streamed } from '../kit/stream.ts';
import { cut } from '../kit/wire.ts';

/** The first half of each event, moved into the write of the one before. */
function shifted(pieces: readonly Piece[]): Piece[] {
  const halves = pieces.map(({ body }) => cut(body, 60));
  return pieces.map(({ atMs }, i) => ({
    atMs,
    body: joined(i === 0 ? halves[0]![0] : '', halves[i]![1], halves[i + 1]?.[0] ?? ''),
  }));
}

export default {
  scope: 'request',
  title: 'HTTP chunks that begin and end in the middle of an event',
  about:
    'Each chunk holds the rest of one event and the first half of the next, so a chunk’s end falls within JSON. An event counts when it is complete: chunks are framing, and carry no meaning of their own.',
  source: 'RFC 9112 §7.1 and WHATWG HTML §9.2.6: the stream is the chunks’ data joined; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success', 'tokens'],
  answer: (asked) => streamed(shifted(plainPieces(asked))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
