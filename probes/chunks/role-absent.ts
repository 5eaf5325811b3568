import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, HEAD_MS, likeM, M, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const itlMs = [195, ...gaps(TOKENS - 1, GAP_MS)];

export default {
  scope: 'request',
  title: 'a role without content at 5 ms, the first text at 200',
  about:
    'The first delta is `{"role":"assistant"}` and nothing more. A client that looks for a delta, or for choices, and not for text takes it for a token; one that reads `delta["content"]` without a default fails.',
  source:
    'arithmetic of M; OpenAI’s chunk object: every field of delta is optional; a role is no output token (docs/metrics.md)',
  right: 'TTFT 200, ITL 20, TPOT 20, 50 tokens',
  judges: ['ttft', 'itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => {
    const role = chunk(asked, { delta: { role: 'assistant' } });
    return streamed([{ atMs: HEAD_MS, body: event(role) }, ...plainPieces(asked)]);
  },
  sees: () => M,
  known: [
    {
      ...KIND.firstChunkAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); mean ITL (195 + 49 · 20) / 50 = 23.5; TPOT (1,180 − 5) / 49 = 23.98',
      reported: ['vllm#3759', 'vllm#15106'],
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs }),
    },
    {
      ...KIND.roleChunkAsToken,
      arithmetic: '51 tokens; TTFT 5; TPOT (1,180 − 5) / 50 = 23.5; NTPOT 1,180 / 51 = 23.14',
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs, tokens: 51 }),
    },
  ],
} satisfies ScriptedProbe;
