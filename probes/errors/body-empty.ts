import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, requestedAsTokens, tokenless } from '../kit/faults.ts';
import { FAILED, TTFT_MS } from '../kit/profile.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an event stream without an event',
  about: 'The head says 200 and text/event-stream, the body ends 195 ms later with nothing in it.',
  source: 'OpenAI API: a stream ends with data: [DONE]',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => closing([{ atMs: TTFT_MS, body: '' }]),
  sees: () => FAILED,
  known: [
    errorAsSuccess(tokenless(200), 'success 100 %; E2E 200, no tokens'),
    requestedAsTokens(
      tokenless(200, { ttftMs: 0, tokens: 50 }),
      'success 100 %; TTFT 0; 50 tokens for none; TPOT 200 / 49 = 4.08 (−80 %)',
    ),
  ],
} satisfies ScriptedProbe;
