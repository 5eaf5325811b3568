import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { head, STREAM_HEADERS, tokens } from '../kit/stream.ts';
import { raw } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'content-length says 20,000, ten tokens come, then FIN',
  about: 'The body is shorter than its head says. What has come is a prefix of an answer.',
  source: 'RFC 9112 §8: a message with content-length is incomplete if fewer bytes come',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) =>
    raw(
      [
        { atMs: HEAD_MS, body: head('200 OK', [...STREAM_HEADERS, ['content-length', '20000']]) },
        ...tokens(asked, 0, 10),
      ],
      { kind: 'close', atMs: 380 },
    ),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
