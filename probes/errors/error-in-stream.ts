import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, errorChunk, event } from '../kit/chunk.ts';
import { tokenless, upTo } from '../kit/faults.ts';
import { FAILED, M } from '../kit/profile.ts';
import { closed, plain, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'run',
  rough: true,
  title: 'in every second answer an error object and [DONE] behind ten tokens',
  about:
    'The status is 200 and sent long before the engine dies. Half the requests end with an error in the stream: they failed, however properly the stream is closed. As successes they make the server look faster.',
  source:
    'OpenAI API: a stream ends with data: [DONE]; an error object is no part of a completion; arithmetic of M',
  right:
    'success 50 %; figures of successes as M: E2E 1,180, TTFT 200, 50 tokens; the 10 tokens of a failed request counted apart',
  judges: ['success', 'tokens', 'e2e'],
  answer: (asked) =>
    asked.place % 2 === 0 ? plain(asked) : closing(closed(tokens(asked, 0, 10), event(errorChunk()) + DONE)),
  sees: (place) => (place % 2 === 0 ? M : FAILED),
  known: [
    {
      kind: 'requested-as-tokens',
      what: 'counts them as successes, with as many tokens as were asked for',
      arithmetic: 'success 100 %; mean E2E 780 (−34 %); mean TPOT (20 + 180 / 49) / 2 = 11.84 (−41 %)',
      reported: ['vllm PR#57519', 'inference-perf#713'],
      sees: (place) => (place % 2 === 0 ? M : upTo(10, { tokens: 50 })),
    },
    {
      kind: 'error-as-success',
      what: 'counts the broken answers as successes with what had come by then',
      arithmetic: 'success 100 %; mean E2E (1,180 + 380) / 2 = 780 (−34 %); mean tokens 30 (−40 %)',
      reported: ['vllm PR#57519', 'inference-perf#713'],
      sees: (place) => (place % 2 === 0 ? M : upTo(10)),
    },
    {
      kind: 'failed-as-zero',
      what: 'counts them as failed, and lets them into the figures with zeros',
      arithmetic: 'mean E2E 1,180 / 2 = 590 (−50 %); mean TTFT 100 (−50 %); mean tokens 25',
      sees: (place) => (place % 2 === 0 ? M : tokenless(0, { ttftMs: 0, countedFailed: true })),
    },
  ],
} satisfies ScriptedProbe;
