import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, ending, event } from '../kit/chunk.ts';
import { PARSING } from '../kit/grammar.ts';
import { inOrder, NOTHING_SEEN, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M, TOKENS } from '../kit/profile.ts';
import { cutPieces } from '../kit/spelling.ts';
import { closed, streamed, tokenMs } from '../kit/stream.ts';

const EARLY = 5;
/** U+8A9E, three bytes: E8 AA 9E; one word, so one token. */
const TEXT = ' 語';

export default {
  scope: 'request',
  title: 'a three-byte character cut behind its first byte, 5 ms apart',
  about:
    'Every token is one character of three bytes. The segment ends behind its first byte; the other two come 5 ms later, at the token’s instant. Bytes are decoded as a stream: a client that decodes each segment by itself fails, or changes the text.',
  source: `${PARSING}: streams are decoded with the UTF-8 decode algorithm, as a whole`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: the event is whole at its empty line',
  answer: (asked) => {
    const pieces = Array.from({ length: TOKENS }, (_, i) => ({
      atMs: tokenMs(i),
      body: event(chunk(asked, { delta: { content: TEXT }, finish: i === TOKENS - 1 ? 'length' : null })),
    }));
    return streamed(cutPieces(closed(pieces, ending(asked)), EARLY, (bytes) => bytes.indexOf(0xe8) + 1));
  },
  sees: () => M,
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk',
      arithmetic: 'TTFT 195; mean ITL (1,180 − 195) / 99 = 9.95 (−50 %)',
      sees: () =>
        seenAt(
          inOrder(
            TOKEN_INSTANTS,
            TOKEN_INSTANTS.map((at) => at - EARLY),
          ),
        ),
    },
    {
      kind: 'events-lost',
      what: 'drops segments that are no UTF-8, and calls the request a success',
      arithmetic: '0 tokens, no TTFT',
      reported: ['vllm#38717'],
      sees: () => NOTHING_SEEN,
    },
  ],
} satisfies ScriptedProbe;
