import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, HEAD_MS, likeM, M, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const itlMs = [195, ...gaps(TOKENS - 1, GAP_MS)];

export default {
  scope: 'request',
  title: 'empty content without a role at 5 ms, the first text at 200',
  about:
    'The first delta is `{"content":""}`: no role that could be skipped, and no text. A client that takes "has a role" as the sign of an empty chunk stops its clock here.',
  source: 'arithmetic of M; an empty delta is no output token (docs/metrics.md)',
  right: 'TTFT 200, ITL 20, TPOT 20, 50 tokens',
  judges: ['ttft', 'itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => {
    const empty = chunk(asked, { delta: { content: '' } });
    return streamed([{ atMs: HEAD_MS, body: event(empty) }, ...plainPieces(asked)]);
  },
  sees: () => M,
  known: [
    {
      ...KIND.firstChunkAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); mean ITL (195 + 49 · 20) / 50 = 23.5; TPOT (1,180 − 5) / 49 = 23.98',
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs }),
    },
    {
      ...KIND.emptyAsToken,
      arithmetic: '51 tokens; TTFT 5; TPOT (1,180 − 5) / 50 = 23.5; NTPOT 1,180 / 51 = 23.14',
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs, tokens: 51 }),
    },
  ],
} satisfies ScriptedProbe;
