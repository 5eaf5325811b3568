import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { firstByteAsToken } from '../kit/faults.ts';
import { PARSING } from '../kit/grammar.ts';
import { M, TTFT_MS } from '../kit/profile.ts';
import { bytesOf, type Piece, plainPieces, streamed } from '../kit/stream.ts';

/** ms, from an event’s first byte to its last. */
const OVER = 15;

const bytewise = ({ atMs, body }: Piece): Piece[] => {
  const bytes = bytesOf(body);
  const step = OVER / (bytes.length - 1);
  return Array.from(bytes, (_, k) => ({
    atMs: k === bytes.length - 1 ? atMs : atMs - OVER + k * step,
    body: bytes.subarray(k, k + 1),
  }));
};

export default {
  scope: 'request',
  title: 'two events of 50 a byte at a time',
  about:
    'The events of tokens 0 and 25 leave a byte at a time, each in a segment and an HTTP chunk of its own, over the 15 ms before the token’s instant. Every state of a parser is met between two reads. The token is there with the last byte.',
  source: `${PARSING}: lines are ended by line ends alone; arithmetic of M`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: an event is whole at its empty line',
  answer: (asked) =>
    streamed(plainPieces(asked).flatMap((piece, i) => (i % 25 === 0 ? bytewise(piece) : [piece]))),
  sees: () => M,
  known: [firstByteAsToken(TTFT_MS - OVER, 'TTFT 185 (−7.5 %); TPOT (1,180 − 185) / 49 = 20.31')],
} satisfies ScriptedProbe;
