import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HALF_EARLY_MS, HALVES_AS_CHUNKS, isOdd, oddLost } from '../kit/every-second.ts';
import { PARSING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { cutPieces } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

/** Behind `da`, `data:`, `data: `. */
const CUTS = [2, 5, 6] as const;

export default {
  scope: 'request',
  title: 'every second event cut within or just behind `data: `, 15 ms apart',
  about:
    'The segment ends behind `da`, behind `data:` or behind `data: `, by turns; the rest comes 15 ms later, at the token’s instant. A client that looks for `data: ` at the start of each read misses the event.',
  source: `${PARSING}: lines are ended by line ends alone; arithmetic of M`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: an event is whole at its empty line',
  answer: (asked) =>
    streamed(
      cutPieces(plainPieces(asked), HALF_EARLY_MS, (_, i) =>
        isOdd(i) ? CUTS[((i - 1) / 2) % CUTS.length]! : 0,
      ),
    ),
  sees: () => M,
  known: [
    HALVES_AS_CHUNKS,
    oddLost('looks for `data: ` at the start of each read, and drops what does not begin so'),
  ],
} satisfies ScriptedProbe;
