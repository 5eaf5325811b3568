import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { HALF_EARLY_MS, HALVES_AS_CHUNKS, isOdd, oddLost } from '../kit/every-second.ts';
import { PARSING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { cutPieces } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'every second event cut within its JSON string, 15 ms apart',
  about:
    'TCP knows no events. The segment ends within a string of the JSON; the rest comes 15 ms later, at the token’s instant. A client that takes each read for an event finds two halves, neither of them JSON.',
  source: `${PARSING}: lines are ended by line ends alone; arithmetic of M`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: an event is whole at its empty line',
  answer: (asked) =>
    streamed(
      cutPieces(plainPieces(asked), HALF_EARLY_MS, (bytes, i) =>
        isOdd(i) ? Buffer.from(bytes).indexOf(' tok') + 2 : 0,
      ),
    ),
  sees: () => M,
  known: [HALVES_AS_CHUNKS, oddLost('drops what is not JSON, and calls the request a success')],
} satisfies ScriptedProbe;
