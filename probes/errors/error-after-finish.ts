import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, errorChunk, event } from '../kit/chunk.ts';
import { errorAsSuccess } from '../kit/faults.ts';
import { FAILED, M, TOKENS } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an error object behind the finish_reason, before [DONE]',
  about:
    'All 50 tokens and finish_reason have come, then the server says that it failed. It takes the answer back before the stream has ended, so the request failed.',
  source: 'OpenAI API: a stream ends with data: [DONE]; an error object is no part of a completion',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => closing(closed(tokens(asked, 0, TOKENS, 'length'), event(errorChunk()) + DONE)),
  sees: () => FAILED,
  known: [errorAsSuccess(M, 'success 100 %; as M: E2E 1,180, 50 tokens')],
} satisfies ScriptedProbe;
