import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event, roleChunk } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, HEAD_MS, likeM, M, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a role with empty content at 5 ms, the first text at 200',
  about:
    'vLLM sends the role as soon as it has read the request, long before there is a token. A role is no token: a TTFT that ends there times the server’s parser.',
  source: 'arithmetic of M; a role-only or empty delta is no output token (docs/metrics.md)',
  right: 'TTFT 200, ITL 20, TPOT 20',
  judges: ['ttft', 'itl', 'tpot'],
  answer: (asked) => streamed([{ atMs: HEAD_MS, body: event(roleChunk(asked)) }, ...plainPieces(asked)]),
  sees: () => M,
  known: [
    {
      ...KIND.firstChunkAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); mean ITL (195 + 49 · 20) / 50 = 23.5; TPOT (1,180 − 5) / 49 = 23.98',
      reported: ['vllm#3759', 'vllm#15106'],
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs: [195, ...gaps(TOKENS - 1, GAP_MS)] }),
    },
  ],
} satisfies ScriptedProbe;
