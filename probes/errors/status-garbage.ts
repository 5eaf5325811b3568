import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'bytes that are no HTTP',
  about: 'Another protocol answers on the port. There is no status line, and thus no answer.',
  source: 'RFC 9112 §4: a response begins with its status line',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () =>
    raw([{ atMs: HEAD_MS, body: 'ERR unknown command\r\n\r\n' }], { kind: 'close', atMs: HEAD_MS }),
  sees: () => FAILED,
  known: [errorAsSuccess(tokenless(HEAD_MS), 'success 100 %; E2E 5, no tokens', undefined, [])],
} satisfies ScriptedProbe;
