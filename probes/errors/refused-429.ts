import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { REFUSED, refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '429 with Retry-After: 1',
  about:
    'A limit of the gateway’s. A client that waits and tries again on its own hides the refusal: the request that was measured failed.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; RFC 6585 §4',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => refused('429 Too Many Requests', 'rate limit reached', HEAD_MS, [['retry-after', '1']]),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
