import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, tokenless } from '../kit/faults.ts';
import { FAILED, TTFT_MS } from '../kit/profile.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an event stream of [DONE] alone',
  about:
    'No chunk, no finish_reason: nothing was generated, and nothing says why. An answer that is empty on purpose has a chunk with finish_reason.',
  source: 'OpenAI API: the last chunk of a completion has its finish_reason',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => closing([{ atMs: TTFT_MS, body: DONE }]),
  sees: () => FAILED,
  known: [
    errorAsSuccess(tokenless(200), 'success 100 %; E2E 200, no tokens'),
    requestedAsTokens(
      tokenless(200, { ttftMs: 0, tokens: 50 }),
      'success 100 %; TTFT 0; 50 tokens for none; TPOT 200 / 49 = 4.08 (−80 %)',
    ),
  ],
} satisfies ScriptedProbe;
