import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { ending } from '../kit/chunk.ts';
import { HALF_EARLY_MS, HALVES_AS_CHUNKS, isOdd, oddLost } from '../kit/every-second.ts';
import { PARSING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { changed } from '../kit/shapes.ts';
import { cutPieces } from '../kit/spelling.ts';
import { closed, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a four-byte character cut in its middle in every second event, 15 ms apart',
  about:
    'U+1F642 is four bytes; the segment ends behind the second. In UTF-16 the character is two units, so a decoder that hands out halves breaks it in another way than one of three bytes.',
  source: `${PARSING}: streams are decoded with the UTF-8 decode algorithm, as a whole`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: an event is whole at its empty line',
  answer: (asked) => {
    const pieces = closed(
      changed(asked, () => ({ delta: { content: ' 🙂' } })),
      ending(asked),
    );
    return streamed(cutPieces(pieces, HALF_EARLY_MS, (bytes, i) => (isOdd(i) ? bytes.indexOf(0xf0) + 2 : 0)));
  },
  sees: () => M,
  known: [HALVES_AS_CHUNKS, oddLost('drops what is no UTF-8, and calls the request a success')],
} satisfies ScriptedProbe;
