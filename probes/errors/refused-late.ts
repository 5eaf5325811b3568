import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '503 after 300 ms',
  about: 'The request waited in a queue before it was refused. The 300 ms are no latency of an answer.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.6.4',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => refused('503 Service Unavailable', 'the queue is full', 300),
  sees: () => FAILED,
  known: [
    errorAsSuccess(
      tokenless(300),
      'success 100 %; E2E 300, no tokens',
      'counts every answer as a success, whatever its status',
      [],
    ),
  ],
} satisfies ScriptedProbe;
