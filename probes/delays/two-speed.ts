import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { gaps, gapsBetween, likeM, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const AT = Array.from({ length: TOKENS }, (_, i) => TTFT_MS + (i <= 25 ? 10 * i : 250 + 30 * (i - 25)));
const TWO = likeM({ e2eMs: AT.at(-1)!, itlMs: gapsBetween(AT) });

export default {
  scope: 'request',
  title: 'the first half of the tokens 10 ms apart, the second half 30',
  about:
    'Speculative decoding, or a batch that fills up. 25 gaps of 10 ms and 24 of 30: mean and median part, so a client that gives each request’s mean for its gaps shows it.',
  source: 'arithmetic: 25 · 10 + 24 · 30 = 970 ms',
  right: 'TTFT 200, E2E 1,170, ITL mean 970 / 49 = 19.80, median 10; TPOT 19.80',
  judges: ['itl'],
  answer: (asked) => streamed(plainPieces(asked).map(({ body }, i) => ({ atMs: AT[i]!, body }))),
  sees: () => TWO,
  known: [
    {
      kind: 'tpot-as-itl',
      what: 'gives one value a request, its TPOT, for the gaps between tokens',
      arithmetic: 'median ITL 970 / 49 = 19.80 (+98 %); the mean is right',
      definition: true,
      sees: () => ({ ...TWO, itlMs: gaps(TOKENS - 1, 970 / 49) }),
    },
  ],
} satisfies ScriptedProbe;
