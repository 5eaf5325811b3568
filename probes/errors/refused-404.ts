import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED } from '../kit/profile.ts';
import { REFUSED, refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '404 with an OpenAI error object',
  about: 'No such model, or no such path.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.5.5',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => refused('404 Not Found', 'the model does not exist'),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
