import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED } from '../kit/profile.ts';
import { REFUSED, refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '500 with an OpenAI error object',
  about: 'The server failed before it began to answer.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.6.1',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => refused('500 Internal Server Error', 'the engine died'),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
