import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { likeM } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'run',
  requests: 11,
  title: 'TTFT 100 and 300 ms in turn',
  about:
    'Every second request finds its prompt in the cache. Of eleven requests six have 100 and five 300: the median is 100 by any way of making it, the mean is not, and no request had it.',
  source: 'arithmetic: (6 · 100 + 5 · 300) / 11 = 190.9',
  right: 'TTFT mean 190.9, median 100; E2E mean 1,170.9, median 1,080; ITL 20',
  judges: ['ttft', 'e2e'],
  answer: (asked) =>
    streamed(
      plainPieces(asked).map(({ atMs, body }) => ({
        atMs: atMs + (asked.place % 2 === 0 ? -100 : 100),
        body,
      })),
    ),
  sees: (place) =>
    place % 2 === 0 ? likeM({ ttftMs: 100, e2eMs: 1080 }) : likeM({ ttftMs: 300, e2eMs: 1280 }),
  known: [
    {
      kind: 'percentile-as-mean',
      what: 'prints the median under the name of the mean',
      arithmetic: 'TTFT mean 100 (−48 %)',
      sees: () => likeM({ ttftMs: 100, e2eMs: 1080 }),
    },
  ],
} satisfies ScriptedProbe;
