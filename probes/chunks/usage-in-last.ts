import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event, usageOf } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, TOKENS } from '../kit/profile.ts';
import { streamed, tokens } from '../kit/stream.ts';

/** The last token comes 300 ms after the 49th, so that it is seen whether it is counted. */
const BEFORE_MS = 1160;
const END_MS = 1460;
const right = likeM({ e2eMs: END_MS, itlMs: [...gaps(TOKENS - 2, GAP_MS), END_MS - BEFORE_MS] });

export default {
  scope: 'request',
  title: 'usage in the last token’s chunk, which comes 300 ms after the others',
  about:
    'Some servers put usage into the chunk of the last token and send no chunk of its own for it. A client that looks for usage only in a chunk without choices finds none; one that takes a chunk with usage for the end loses a token.',
  source:
    'docs/metrics.md: a delta with non-empty content is a token, whatever else its chunk holds; 200 + 48 · 20 + 300 = 1,460',
  right:
    'E2E 1,460; ITL 48 × 20 and 300: mean 25.71; TPOT 1,260 / 49 = 25.71; NTPOT 1,460 / 50 = 29.2; 50 tokens',
  answer: (asked) => {
    const last = event(chunk(asked, { finish: 'length', usage: usageOf(asked) }));
    return streamed([...tokens(asked, 0, TOKENS - 1), { atMs: END_MS, body: last + DONE }]);
  },
  sees: () => right,
  known: [
    {
      ...KIND.lastTokenDropped,
      arithmetic:
        'E2E 1,160 (−20.5 %); 48 gaps of 20; TPOT (1,160 − 200) / 49 = 19.59 (−24 %); NTPOT 1,160 / 50 = 23.2',
      sees: () => likeM({ e2eMs: BEFORE_MS, itlMs: gaps(TOKENS - 2, GAP_MS) }),
    },
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => ({ ...right, tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
