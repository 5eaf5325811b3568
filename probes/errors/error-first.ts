import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, errorChunk, event } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, tokenless } from '../kit/faults.ts';
import { FAILED, TTFT_MS } from '../kit/profile.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'status 200, and an error object as the first event',
  about:
    'The engine fails before the first token, after the head has left. There is no token, no finish_reason and no usage: nothing but an error and [DONE].',
  source: 'OpenAI API: a stream ends with data: [DONE]; an error object is no part of a completion',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => closing([{ atMs: TTFT_MS, body: event(errorChunk()) + DONE }]),
  sees: () => FAILED,
  known: [
    errorAsSuccess(tokenless(200), 'success 100 %; E2E 200, no tokens'),
    requestedAsTokens(
      tokenless(200, { ttftMs: 0, tokens: 50 }),
      'success 100 %; TTFT 0; 50 tokens for none; TPOT 200 / 49 = 4.08 (−80 %)',
    ),
  ],
} satisfies ScriptedProbe;
