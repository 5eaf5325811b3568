import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { tokenless } from '../kit/faults.ts';
import { FAILED, M } from '../kit/profile.ts';
import { refused } from '../kit/refusal.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'run',
  requests: 6,
  rough: true,
  title: 'every second request refused with 504 after three seconds',
  about:
    'A gateway’s time-out: failures that are slower than any success. In a percentile of successes they would be its tail; left out without a count they would make the server look quick. They belong in the count of failures.',
  source: 'docs/metrics.md: figures are over completed requests; arithmetic of M',
  right: 'success 50 %; figures of successes as M: E2E 1,180, the slowest too',
  judges: ['success', 'e2e'],
  answer: (asked) =>
    asked.place % 2 === 0 ? plain(asked) : refused('504 Gateway Timeout', 'upstream timed out', 3000),
  sees: (place) => (place % 2 === 0 ? M : FAILED),
  known: [
    {
      kind: 'failed-in-latency',
      what: 'counts them as failed, and lets their latency into the figures',
      arithmetic: 'success 50 %; mean E2E (1,180 + 3,000) / 2 = 2,090 (+77 %)',
      sees: (place) => (place % 2 === 0 ? M : tokenless(3000, { ttftMs: 3000, countedFailed: true })),
    },
    {
      kind: 'error-as-success',
      what: 'counts every answer as a success, whatever its status, with its own latency',
      arithmetic: 'success 100 %; mean E2E (1,180 + 3,000) / 2 = 2,090 (+77 %)',
      sees: (place) => (place % 2 === 0 ? M : tokenless(3000)),
    },
    {
      kind: 'failed-as-zero',
      what: 'lets failed requests into the figures with a latency of 0',
      arithmetic: 'mean E2E (1,180 + 0) / 2 = 590 (−50 %); mean TTFT 100 (−50 %)',
      sees: (place) => (place % 2 === 0 ? M : tokenless(0, { ttftMs: 0, countedFailed: true })),
    },
  ],
} satisfies ScriptedProbe;
