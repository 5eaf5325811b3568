import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { REFUSED, refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '401 with a challenge',
  about: 'The key is missing or wrong. The challenge is for a client that has another one.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.5.2',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => refused('401 Unauthorized', 'invalid API key', HEAD_MS, [['www-authenticate', 'Bearer']]),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
