import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, ending, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { FAILED, likeM, M, TOKENS } from '../kit/profile.ts';
import { answerOf, finishChoices } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const AT_MS = 200;
const isEmpty = (place: number): boolean => place % 2 === 1;
const nothing = likeM({ ttftMs: null, e2eMs: AT_MS, tokens: 0, itlMs: [], tpotMs: null, ntpotMs: null });

export default {
  scope: 'run',
  rough: true,
  title: 'every second answer is empty: 200, a role, finish_reason "stop", usage 0',
  about:
    'HTTP is sound and nothing was generated. There is no first token, so no TTFT, and no last one, so no E2E: no latency can be told of such a request, and the work asked for was not done. It counts as failed. To count it as a success without latencies is another definition; to print a TTFT of 0 for it is a fault, which makes a broken server the fastest.',
  source:
    'docs/metrics.md: TTFT and E2E are to an output token; a figure that there is none of is null, not 0',
  right: 'success 50 %; over the others M’s figures: TTFT 200, E2E 1,180, TPOT 20, 50 tokens',
  answer: (asked) => {
    if (!isEmpty(asked.place)) return streamed(answerOf(asked, TOKENS));
    const only = chunk(asked, { choices: finishChoices(asked, { role: 'assistant', content: '' }, 'stop') });
    return streamed([{ atMs: AT_MS, body: event(only) + ending(asked, 0) }]);
  },
  sees: (place) => (isEmpty(place) ? FAILED : M),
  known: [
    {
      kind: 'empty-as-success',
      what: 'counts an answer without a token as a success that has no TTFT and no TPOT',
      arithmetic: 'success 100 %; TTFT 200; mean E2E (1,180 + 200) / 2 = 690; mean tokens 25',
      definition: true,
      sees: (place) => (isEmpty(place) ? nothing : M),
    },
    {
      ...KIND.zeroForNone,
      arithmetic:
        'success 100 %; mean TTFT (200 + 0) / 2 = 100 (−50 %); mean NTPOT (23.6 + 0) / 2 = 11.8; mean E2E 690; mean tokens 25',
      sees: (place) => (isEmpty(place) ? { ...nothing, ttftMs: 0, ntpotMs: 0 } : M),
    },
    {
      kind: 'empty-as-requested',
      what: 'counts an answer without a token as a success with a TTFT of 0 and the number of tokens asked for',
      arithmetic:
        'success 100 %, 50 tokens each; mean TTFT 100 (−50 %); mean TPOT (20 + 200 / 49) / 2 = 12.04; mean NTPOT (23.6 + 4) / 2 = 13.8',
      sees: (place) =>
        isEmpty(place) ? { ...nothing, ttftMs: 0, tokens: 50, tpotMs: AT_MS / 49, ntpotMs: 4 } : M,
    },
  ],
} satisfies ScriptedProbe;
