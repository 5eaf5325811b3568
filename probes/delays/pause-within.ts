import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { gapsBetween, likeM, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed, tokenMs } from '../kit/stream.ts';

const AT = Array.from({ length: TOKENS }, (_, i) => tokenMs(i) + (i < 25 ? 0 : 1980));
const PAUSED = likeM({ e2eMs: AT.at(-1)!, itlMs: gapsBetween(AT) });

export default {
  scope: 'request',
  title: 'a pause of two seconds between the 25th and the 26th token',
  about:
    'The server preempts the request, or loads something. One gap of 2,000 ms among 48 of 20: it belongs in the mean and the maximum, not in the median, and breaks nothing off.',
  source: 'arithmetic: 48 gaps of 20 and one of 2,000 are 2,960 ms',
  right: 'TTFT 200, E2E 3,160, ITL mean 2,960 / 49 = 60.41, median 20, largest 2,000; TPOT 60.41',
  judges: ['success', 'itl', 'tpot', 'e2e'],
  answer: (asked) => streamed(plainPieces(asked).map(({ body }, i) => ({ atMs: AT[i]!, body }))),
  sees: () => PAUSED,
  known: [
    {
      kind: 'pauses-dropped',
      what: 'leaves gaps out that it holds for outliers',
      arithmetic: 'mean ITL 20 (−67 %); E2E 3,160 is right',
      sees: () => ({ ...PAUSED, itlMs: gapsBetween(AT).filter((gap) => gap < 1000) }),
    },
  ],
} satisfies ScriptedProbe;
