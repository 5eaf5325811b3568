import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { gaps, gapsBetween, likeM, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const AT = Array.from({ length: TOKENS }, (_, i) => TTFT_MS + (i <= 33 ? 10 * i : 330 + 30 * (i - 33)));
const TWO = likeM({ e2eMs: AT.at(-1)!, itlMs: gapsBetween(AT) });

export default {
  scope: 'request',
  title: 'the first two thirds of the tokens 10 ms apart, the others 30',
  about:
    'Speculative decoding, or a batch that fills up. 33 gaps of 10 ms and 16 of 30: mean and median part, so a client that gives each request’s mean for its gaps shows it.',
  source: 'arithmetic: 33 · 10 + 16 · 30 = 810 ms',
  right: 'TTFT 200, E2E 1,010, ITL mean 810 / 49 = 16.53, median 10; TPOT 16.53',
  judges: ['itl'],
  answer: (asked) => streamed(plainPieces(asked).map(({ body }, i) => ({ atMs: AT[i]!, body }))),
  sees: () => TWO,
  known: [
    {
      kind: 'tpot-as-itl',
      what: 'gives one value a request, its TPOT, for the gaps between tokens',
      arithmetic: 'median ITL 810 / 49 = 16.53 (+65 %); the mean is right',
      definition: true,
      sees: () => ({ ...TWO, itlMs: gaps(TOKENS - 1, 810 / 49) }),
    },
  ],
} satisfies ScriptedProbe;
