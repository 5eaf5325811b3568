import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'ten tokens, then RST',
  about: 'The server’s process dies, or a middlebox drops the connection: the next read fails.',
  source: 'RFC 9293 §3.5.3; RFC 9112 §8: the message is incomplete',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => streamed(tokens(asked, 0, 10), { endMs: null, ending: { kind: 'reset', atMs: 400 } }),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
