import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'the body ends, cleanly, in the middle of the eleventh event',
  about:
    'Half a JSON text without its line end, then the last HTTP chunk. The half event is to be discarded, and the answer is not whole.',
  source:
    'WHATWG HTML §9.2.6: an incomplete event at the end is discarded; OpenAI API: a stream ends with data: [DONE]',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => closing(closed(tokens(asked, 0, 10), event(chunk(asked)).slice(0, 80))),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
