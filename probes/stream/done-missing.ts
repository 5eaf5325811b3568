import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event, usageChunk } from '../kit/chunk.ts';
import { FAILED, M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a whole answer without [DONE]',
  about:
    'The last token has its finish_reason, usage came, the chunked body ends as HTTP wants it; only [DONE] is missing. The answer is whole: finish_reason and the body’s end say so.',
  source:
    'RFC 9112 §7.1 and §8: a chunked body is complete when its zero-sized chunk has come; OpenAI API: finish_reason is null until the model stops',
  right: 'a success; TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => {
    const pieces = tokens(asked, 0, TOKENS, 'length');
    return streamed(asked.includeUsage ? closed(pieces, event(usageChunk(asked))) : pieces);
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
