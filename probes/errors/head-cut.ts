import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { CHUNKED_HEAD, raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'FIN in the middle of the head',
  about: 'The status line and half a field, then the connection is closed. There is no answer.',
  source: 'RFC 9112 §8: a response that ends before its head is complete is incomplete',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => raw([{ atMs: HEAD_MS, body: CHUNKED_HEAD.slice(0, 40) }], { kind: 'close', atMs: HEAD_MS }),
  sees: () => FAILED,
  known: [errorAsSuccess(tokenless(HEAD_MS), 'success 100 %; E2E 5, no tokens')],
} satisfies ScriptedProbe;
