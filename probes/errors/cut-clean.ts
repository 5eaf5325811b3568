import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'ten tokens, then the clean end of the body: no finish_reason, no [DONE]',
  about:
    'The server’s worker dies and the proxy in front of it closes the message properly. HTTP has no complaint; the stream lacks everything that says it is whole.',
  source: 'OpenAI API: a stream ends with data: [DONE]',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => closing(tokens(asked, 0, 10)),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
