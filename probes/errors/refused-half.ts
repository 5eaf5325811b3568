import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { tokenless } from '../kit/faults.ts';
import { FAILED, M } from '../kit/profile.ts';
import { refused } from '../kit/refusal.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'run',
  rough: true,
  title: 'every second request refused with 503 after 300 ms',
  about:
    'Half the requests fail, faster than the others succeed. Percentiles are over the successes and say so, or a failure counts as infinitely late in them; a refusal’s 300 ms is no latency of an answer.',
  source: 'docs/metrics.md: figures are over completed requests; arithmetic of M',
  right: 'success 50 %; figures of successes as M: E2E 1,180, TTFT 200',
  judges: ['success', 'tokens', 'e2e'],
  answer: (asked) =>
    asked.place % 2 === 0
      ? plain(asked)
      : refused('503 Service Unavailable', 'the server is overloaded', 300),
  sees: (place) => (place % 2 === 0 ? M : FAILED),
  known: [
    {
      kind: 'failed-as-zero',
      what: 'lets failed requests into the figures with a latency of 0',
      arithmetic: 'mean E2E (1,180 + 0) / 2 = 590 (−50 %); mean TTFT 100 (−50 %)',
      sees: (place) => (place % 2 === 0 ? M : tokenless(0, { ttftMs: 0, countedFailed: true })),
    },
    {
      kind: 'error-as-success',
      what: 'counts every answer as a success, whatever its status, with its own latency',
      arithmetic: 'success 100 %; mean E2E (1,180 + 300) / 2 = 740 (−37 %)',
      sees: (place) => (place % 2 === 0 ? M : tokenless(300)),
    },
    {
      kind: 'failed-in-latency',
      what: 'counts them as failed, and lets their latency into the figures',
      arithmetic:
        'success 50 %; mean E2E (1,180 + 300) / 2 = 740 (−37 %); mean TTFT (200 + 300) / 2 = 250 (+25 %)',
      sees: (place) => (place % 2 === 0 ? M : tokenless(300, { ttftMs: 300, countedFailed: true })),
    },
  ],
} satisfies ScriptedProbe;
