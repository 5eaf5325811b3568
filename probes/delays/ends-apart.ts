import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event, usageChunk } from '../kit/chunk.ts';
import { endAt } from '../kit/faults.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, M, TOKENS } from '../kit/profile.ts';
import { streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'finish_reason, usage, [DONE] and the body’s end 100 ms apart, behind the last token',
  about:
    'The last token leaves at 1,180, a chunk with finish_reason and no text at 1,280, usage at 1,380, [DONE] at 1,480, the end of the body at 1,580. Each of the five has been called the end by some client; here each has its own figure.',
  source: 'E2E ends with the last output token (docs/metrics.md); arithmetic of M',
  right: 'E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['tokens', 'itl', 'tpot', 'ntpot', 'e2e'],
  answer: (asked) =>
    streamed(
      [
        ...tokens(asked),
        { atMs: 1280, body: event(chunk(asked, { delta: {}, finish: 'length' })) },
        { atMs: 1380, body: asked.includeUsage ? event(usageChunk(asked)) : '' },
        { atMs: 1480, body: DONE },
      ],
      { endMs: 1580 },
    ),
  sees: () => M,
  known: [
    endAt('finish', 1280, 'E2E 1,280 (+8 %); TPOT (1,280 − 200) / 49 = 22.04 (+10 %)'),
    endAt('usage', 1380, 'E2E 1,380 (+17 %); TPOT (1,380 − 200) / 49 = 24.08 (+20 %)'),
    endAt('done', 1480, 'E2E 1,480 (+25 %); TPOT (1,480 − 200) / 49 = 26.12 (+31 %)'),
    endAt('response', 1580, 'E2E 1,580 (+34 %); TPOT (1,580 − 200) / 49 = 28.16 (+41 %)'),
    {
      ...KIND.finishChunkAsToken,
      arithmetic: 'E2E 1,280 (+8 %); mean ITL 1,080 / 50 = 21.6 (+8 %); 51 tokens, TPOT 1,080 / 50 = 21.6',
      sees: () => likeM({ e2eMs: 1280, tokens: 51, itlMs: [...gaps(TOKENS - 1, GAP_MS), 100] }),
    },
    {
      ...KIND.finishChunkAsToken,
      what: 'the same, with the tokens of usage',
      arithmetic: 'E2E 1,280 (+8 %); mean ITL 1,080 / 50 = 21.6 (+8 %); TPOT 1,080 / 49 = 22.04 (+10 %)',
      sees: () => likeM({ e2eMs: 1280, itlMs: [...gaps(TOKENS - 1, GAP_MS), 100] }),
    },
  ],
} satisfies ScriptedProbe;
