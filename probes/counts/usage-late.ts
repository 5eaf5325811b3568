import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { ending } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { LAST_MS, likeM, M, TOKENS } from '../kit/profile.ts';
import { streamed, tokens } from '../kit/stream.ts';

const LATE_MS = 300;
const END_MS = LAST_MS + LATE_MS;

export default {
  scope: 'request',
  title: 'usage and [DONE] 300 ms after the last token',
  about:
    'The usage chunk (no choices), [DONE] and the end of the body come late: a gateway that waits for its accounting. The user had the last token at 1,180. A client that stamps whatever comes last adds 300 ms to E2E and spreads them over the tokens.',
  source: 'docs/metrics.md: E2E is the last output token − t0; usage holds no token',
  right: 'E2E 1,180, 49 gaps of 20, TPOT 20, NTPOT 23.6, 50 tokens',
  judges: ['e2e', 'itl', 'tpot', 'ntpot', 'tokens'],
  answer: (asked) => streamed([...tokens(asked, 0, TOKENS, 'length'), { atMs: END_MS, body: ending(asked) }]),
  sees: () => M,
  known: [
    {
      ...KIND.endAtUsage,
      arithmetic: 'E2E 1,480 (+25.4 %); TPOT (1,480 − 200) / 49 = 26.12 (+30.6 %); NTPOT 1,480 / 50 = 29.6',
      reported: ['inference-perf PR#452'],
      sees: () => likeM({ e2eMs: END_MS }),
    },
    {
      ...KIND.usageChunkAsToken,
      arithmetic:
        '51 tokens, E2E 1,480; mean ITL 1,280 / 50 = 25.6 (+28 %); TPOT 1,280 / 50 = 25.6; NTPOT 1,480 / 51 = 29.02',
      reported: ['inference-perf PR#452'],
      sees: () => likeM({ tokens: 51, e2eMs: END_MS, itlMs: [...M.itlMs, LATE_MS] }),
    },
    {
      kind: 'events-as-tokens',
      what: 'counts every event as a token, the usage chunk and [DONE] too',
      arithmetic:
        '52 tokens, E2E 1,480; mean ITL 1,280 / 51 = 25.1; TPOT 1,280 / 51 = 25.1; NTPOT 1,480 / 52 = 28.46',
      reported: ['inference-perf PR#452'],
      sees: () => likeM({ tokens: 52, e2eMs: END_MS, itlMs: [...M.itlMs, LATE_MS, 0] }),
    },
  ],
} satisfies ScriptedProbe;
