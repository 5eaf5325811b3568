import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'FIN 50 ms after the request, before any byte',
  about:
    'An empty reply: the server read the request and closed. On a kept connection this looks like one that was idle too long, but it is not: the request had arrived.',
  source: 'RFC 9112 §8 and §9.3.1; RFC 9110 §9.2.2',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => raw([], { kind: 'close', atMs: 50 }),
  sees: () => FAILED,
  known: [errorAsSuccess(tokenless(50), 'success 100 %; E2E 50, no tokens')],
} satisfies ScriptedProbe;
