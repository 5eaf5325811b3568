import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, event, usageChunk } from '../kit/chunk.ts';
import { gaps, HEAD_MS, likeM, TOKENS } from '../kit/profile.ts';
import { httpChunk, joined, LAST_CHUNK, type Piece, tokens } from '../kit/stream.ts';
import { CHUNKED_HEAD, raw } from '../kit/wire.ts';

const BURST = 5;
const BURSTS = likeM({
  e2eMs: 1100,
  itlMs: Array.from({ length: TOKENS - 1 }, (_, i) => ((i + 1) % BURST === 0 ? 100 : 0)),
});

export default {
  scope: 'request',
  title: 'five tokens a write, each in an event and an HTTP chunk of its own',
  about:
    'A server that flushes every 100 ms writes five events at once, each its own chunk. All five have arrived at that instant: four gaps of 0 and one of 100. A client that takes what one read returns for one token counts 10 of 50.',
  source: 'arithmetic: bursts of 5 at 200, 300, … 1,100',
  right: 'TTFT 200, E2E 1,100, mean ITL 900 / 49 = 18.37, TPOT 18.37, 50 tokens',
  judges: ['tokens', 'itl', 'tpot'],
  answer: (asked) => {
    const events = tokens(asked, 0, TOKENS, 'length').map(({ body }) => httpChunk(body));
    const end = joined(
      asked.includeUsage ? httpChunk(event(usageChunk(asked))) : '',
      httpChunk(DONE),
      LAST_CHUNK,
    );
    const bursts: Piece[] = Array.from({ length: TOKENS / BURST }, (_, i) => ({
      atMs: 200 + i * 100,
      body: joined(...events.slice(i * BURST, (i + 1) * BURST), i === TOKENS / BURST - 1 ? end : ''),
    }));
    return raw([{ atMs: HEAD_MS, body: CHUNKED_HEAD }, ...bursts]);
  },
  sees: () => BURSTS,
  known: [
    {
      kind: 'reads-as-chunks',
      what: 'takes what one read of the socket brings for one chunk',
      arithmetic: 'ITL 100 (mean 18.37 is right); by its own count 10 tokens, TPOT 900 / 9 = 100',
      reported: ['vllm#27485'],
      sees: () => likeM({ e2eMs: 1100, tokens: 10, itlMs: gaps(9, 100) }),
    },
    {
      kind: 'reads-as-chunks',
      what: 'the same, with the tokens of usage',
      arithmetic: 'ITL 100 (mean 18.37 is right); 50 tokens, TPOT 900 / 49 = 18.37',
      reported: ['vllm#27485'],
      sees: () => likeM({ e2eMs: 1100, itlMs: gaps(9, 100) }),
    },
  ],
} satisfies ScriptedProbe;
