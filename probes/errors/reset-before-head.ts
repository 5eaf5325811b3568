import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'RST 50 ms after the request, before any byte',
  about:
    'The request was read, and the connection is dropped. A client may not send it again on its own: it cannot know what became of the first.',
  source: 'RFC 9110 §9.2.2: POST is not to be retried automatically unless it is known to be safe',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => raw([], { kind: 'reset', atMs: 50 }),
  sees: () => FAILED,
  known: [errorAsSuccess(tokenless(50), 'success 100 %; E2E 50, no tokens')],
} satisfies ScriptedProbe;
