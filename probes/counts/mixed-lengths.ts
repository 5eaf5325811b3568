import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { gaps, likeM } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

/** 10 tokens 40 ms apart: 200 + 9 · 40 = 560. */
const SHORT = likeM({ tokens: 10, e2eMs: 560, itlMs: gaps(9, 40) });
/** 90 tokens 10 ms apart: 200 + 89 · 10 = 1,090. */
const LONG = likeM({ tokens: 90, e2eMs: 1090, itlMs: gaps(89, 10) });
const isLong = (place: number): boolean => place % 2 === 1;

export default {
  scope: 'run',
  tokens: 90,
  title: 'answers of 10 tokens, 40 ms apart, and of 90, 10 ms apart, in turn',
  about:
    'Long answers are quick here and short ones slow, so that the kind of mean matters: over requests each counts once; over tokens a long one counts nine times. Both can be defended, and differ by a factor of two: a figure must say which it is.',
  source:
    'docs/metrics.md: TPOT and NTPOT are figures of a request, summed up over completed requests; ITL over gaps',
  right:
    'mean TPOT (40 + 10) / 2 = 25; mean NTPOT (56 + 12.11) / 2 = 34.06; mean ITL 1,250 / 98 = 12.76; mean E2E 825; mean tokens 50',
  judges: ['tpot', 'ntpot', 'itl', 'tokens'],
  answer: (asked) =>
    streamed(
      isLong(asked.place)
        ? answerOf(asked, 90, { gapMs: 10 })
        : answerOf(asked, 10, { gapMs: 40, finish: 'stop' }),
    ),
  sees: (place) => (isLong(place) ? LONG : SHORT),
  known: [
    {
      ...KIND.tokenWeighted,
      arithmetic:
        'TPOT (9 · 40 + 89 · 10) / 98 = 12.76 (−49 %), median 10; NTPOT (560 + 1,090) / 100 = 16.5 (−52 %), median 12.11',
      sees: (place) =>
        isLong(place)
          ? { ...LONG, tpotTimes: 89, ntpotTimes: 90 }
          : { ...SHORT, tpotTimes: 9, ntpotTimes: 10 },
    },
    {
      kind: 'gaps-by-request',
      what: 'takes the mean gap of each request and sums up over requests, so that a short answer’s gaps count for more',
      arithmetic: 'mean ITL (40 + 10) / 2 = 25 (+96 %), median 25',
      definition: true,
      sees: (place) => (isLong(place) ? { ...LONG, itlMs: [10] } : { ...SHORT, itlMs: [40] }),
    },
    {
      kind: 'ntpot-of-means',
      what: 'gives NTPOT of the aggregate: mean TPOT + mean TTFT / mean tokens',
      arithmetic: 'NTPOT 25 + 200 / 50 = 29 (−15 %)',
      definition: true,
      sees: (place) => ({ ...(isLong(place) ? LONG : SHORT), ntpotMs: 29 }),
    },
    {
      ...KIND.requestedAsTokens,
      arithmetic:
        '90 tokens each (+80 %); mean TPOT (360 / 89 + 10) / 2 = 7.02; mean NTPOT (6.22 + 12.11) / 2 = 9.17',
      sees: (place) => (isLong(place) ? LONG : { ...SHORT, tokens: 90 }),
    },
  ],
} satisfies ScriptedProbe;
