import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, HEAD_MS, likeM, M, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const SAFE = { filtered: false, severity: 'safe' };

export default {
  scope: 'request',
  title: 'Azure’s first chunk, without choices, at 5 ms',
  about:
    'Azure OpenAI begins a stream with a chunk of empty choices, an empty id and prompt_filter_results. A client that reads `choices[0]` of every chunk fails; one that times the first chunk times the content filter.',
  source:
    'arithmetic of M; Azure OpenAI, "Content filtering", prompt_filter_results in the first streamed chunk',
  right: 'TTFT 200, ITL 20, TPOT 20',
  judges: ['ttft', 'itl', 'tpot'],
  answer: (asked) => {
    const filter = chunk(asked, {
      choices: [],
      extra: {
        id: '',
        model: '',
        object: '',
        created: 0,
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: SAFE, violence: SAFE } }],
      },
    });
    return streamed([{ atMs: HEAD_MS, body: event(filter) }, ...plainPieces(asked)]);
  },
  sees: () => M,
  known: [
    {
      ...KIND.firstChunkAsToken,
      arithmetic: 'TTFT 5 (−97.5 %); mean ITL (195 + 49 · 20) / 50 = 23.5; TPOT (1,180 − 5) / 49 = 23.98',
      sees: () => likeM({ ttftMs: HEAD_MS, itlMs: [195, ...gaps(TOKENS - 1, GAP_MS)] }),
    },
  ],
} satisfies ScriptedProbe;
