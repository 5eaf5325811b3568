import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event, usageChunk } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { FAILED, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: '[DONE] without its empty line, and the end of the body',
  about:
    'The body ends behind `data: [DONE]`, without a line end. By the grammar that event is not dispatched; the answer is whole without it: the last token had its finish_reason, and the body ends as HTTP wants it.',
  source: `${INTERPRETING}: “the incomplete event is not dispatched”; RFC 9112 §7.1: the chunked body is complete`,
  right: 'a success; TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => {
    const whole = tokens(asked, 0, TOKENS, 'length');
    return streamed(closed(whole, `${asked.includeUsage ? event(usageChunk(asked)) : ''}data: [DONE]`));
  },
  sees: () => M,
  known: [
    {
      kind: 'requires-done',
      what: 'counts an answer as whole only where data: [DONE] ends it, spelled so',
      arithmetic: 'success 0 % (−100 points)',
      definition: true,
      sees: () => FAILED,
    },
  ],
} satisfies ScriptedProbe;
