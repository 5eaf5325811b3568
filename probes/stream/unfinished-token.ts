import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event, usageChunk } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

const UNFINISHED = 1280;

export default {
  scope: 'request',
  title: 'at the very end a text event without its empty line',
  about:
    'The answer is whole at 1,180, finish_reason and usage came; [DONE] does not. At 1,280 there is one more data line with text, no empty line behind it, and the body ends. An event that the file ends in is not dispatched. A client that reads what is left in its buffer counts it.',
  source: `${INTERPRETING}: “If the file ends in the middle of an event, before the final empty line, the incomplete event is not dispatched.”`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => {
    const whole = tokens(asked, 0, TOKENS, 'length');
    return streamed([
      ...(asked.includeUsage ? closed(whole, event(usageChunk(asked))) : whole),
      { atMs: UNFINISHED, body: `data: ${chunk(asked)}\n` },
    ]);
  },
  sees: () => M,
  known: [
    {
      kind: 'unfinished-event-as-token',
      what: 'takes what is left when the body ends for an event',
      arithmetic:
        'E2E 1,280 (+8.5 %); mean ITL 1,080 / 50 = 21.6; TPOT (1,280 − 200) / 49 = 22.04; NTPOT 1,280 / 50 = 25.6',
      sees: () => seenAt([...TOKEN_INSTANTS, UNFINISHED]),
    },
  ],
} satisfies ScriptedProbe;
