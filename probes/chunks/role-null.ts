import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, HEAD_MS, likeM, M, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const itlMs = [195, ...gaps(TOKENS - 1, GAP_MS)];

export default {
  scope: 'request',
  title: 'a role with content null at 5 ms, the first text at 200',
  about:
    'The role-only chunk with `content: null` in place of an empty string, as several servers send it. A test for "has the key content", or for "is not empty", takes it for a token.',
  source:
    'arithmetic of M; OpenAI’s chunk object: delta.content is a string or null; a role is no output token (docs/metrics.md)',
  right: 'TTFT 200, ITL 20, TPOT 20, 50 tokens',
  judges: ['ttft', 'itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) => {
    const role = chunk(asked, { delta: { role: 'assistant', content: null } });
    return streamed([{ atMs: HEAD_MS, body: event(role) }, ...plainPieces(asked)]);
  },
  sees: () => M,
  known: [
    {
      ...KIND.firstChunkAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); mean ITL (195 + 49 · 20) / 50 = 23.5; TPOT (1,180 − 5) / 49 = 23.98',
      reported: ['vllm#3759'],
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs }),
    },
    {
      ...KIND.roleChunkAsToken,
      arithmetic: '51 tokens; TTFT 5; TPOT (1,180 − 5) / 50 = 23.5; NTPOT 1,180 / 51 = 23.14',
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs, tokens: 51 }),
    },
  ],
} satisfies ScriptedProbe;
