import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, ending, event } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'ten tokens, and finish_reason “error”',
  about:
    'vLLM has five reasons, “error” among them: the request broke inside the engine. What came before is the beginning of an answer, not an answer.',
  source:
    'OpenAI API: finish_reason is stop, length, tool_calls or content_filter; vLLM, vllm/v1/engine: error is an internal error',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) =>
    closing(
      closed(
        tokens(asked, 0, 10),
        event(chunk(asked, { delta: { content: '' }, finish: 'error' })) + ending(asked, 10),
      ),
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
