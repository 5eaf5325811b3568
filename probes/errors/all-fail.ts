import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { KIND } from '../kit/kinds.ts';
import { FAILED } from '../kit/profile.ts';
import { refused } from '../kit/refusal.ts';

export default {
  scope: 'run',
  requests: 6,
  rough: true,
  title: 'every request refused with 503 after 300 ms',
  about:
    'Not one request succeeds, so there is no latency to print: percentiles of nothing are absent, not 0. A run of which nothing came must not end as if it had gone well.',
  source: 'arithmetic: a mean or percentile of no value is not defined',
  right: 'success 0 %; no figure of latency or tokens at all',
  judges: ['success'],
  answer: () => refused('503 Service Unavailable', 'the server is overloaded', 300),
  sees: () => FAILED,
  known: [
    {
      ...KIND.zeroForNone,
      arithmetic: 'TTFT 0, E2E 0, tokens 0',
      sees: () => tokenless(0, { ttftMs: 0, countedFailed: true }),
    },
    errorAsSuccess(
      tokenless(300),
      'success 100 %; E2E 300',
      'counts every answer as a success, whatever its status',
      [],
    ),
  ],
} satisfies ScriptedProbe;
