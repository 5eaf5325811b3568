import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { REFUSED, refused } from '../kit/refusal.ts';

export default {
  scope: 'request',
  rough: true,
  title: '500 with a body of 64 KB',
  about:
    'A stack trace that is longer than a socket’s buffer may be. Read or not, it must not spoil the next request.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.6.1',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => {
    const answer = refused('500 Internal Server Error', 'trace '.repeat(11_000), HEAD_MS, [
      ['connection', 'close'],
    ]);
    return { ...answer, ending: { kind: 'close', atMs: HEAD_MS } };
  },
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
