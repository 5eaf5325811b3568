import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: '204 No Content',
  about: 'A status of the 2xx class, and by its definition no body. 50 tokens were asked for, and none came.',
  source: 'RFC 9110 §15.3.5: a 204 ends with its head',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => raw([{ atMs: HEAD_MS, body: 'HTTP/1.1 204 No Content\r\ncache-control: no-cache\r\n\r\n' }]),
  sees: () => FAILED,
  known: [
    errorAsSuccess(
      tokenless(HEAD_MS),
      'success 100 %; E2E 5, no tokens',
      'counts the request as a success by its status',
      [],
    ),
  ],
} satisfies ScriptedProbe;
