import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { REFUSED } from '../kit/refusal.ts';
import { whole } from '../kit/stream.ts';

export default {
  scope: 'request',
  rough: true,
  title: '503 with an empty body',
  about: 'Overloaded, and not a word about it: content-length is 0.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.6.4',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => whole('503 Service Unavailable', '', HEAD_MS, [['retry-after', '1']]),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
