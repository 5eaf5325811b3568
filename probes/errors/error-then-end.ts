import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorChunk, event } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an error object behind ten tokens, then the clean end of the body',
  about: 'No [DONE]: the server gives up behind its error. The HTTP message is complete, the answer is not.',
  source: 'OpenAI API: a stream ends with data: [DONE]; an error object is no part of a completion',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => closing(closed(tokens(asked, 0, 10), event(errorChunk()))),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
