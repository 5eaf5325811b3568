import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED } from '../kit/profile.ts';
import { REFUSED, refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '400 with an OpenAI error object',
  about: 'The request is not understood: a parameter the server does not know, a prompt that is too long.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.5.1',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => refused('400 Bad Request', 'max_tokens is too large'),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
