import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event, usageChunk } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, TOKENS } from '../kit/profile.ts';
import { streamed, tokens } from '../kit/stream.ts';

/** The 49th token, usage 150 ms behind it, the last token 150 ms behind that. */
const BEFORE_MS = 1160;
const USAGE_MS = 1310;
const END_MS = 1460;
const right = likeM({ e2eMs: END_MS, itlMs: [...gaps(TOKENS - 2, GAP_MS), END_MS - BEFORE_MS] });

export default {
  scope: 'request',
  title: 'the usage chunk at 1,310 ms, before the last token at 1,460',
  about:
    'Two tasks write to the stream, and usage overtakes the last token. Only [DONE] ends a stream: a client that stops reading at usage loses a token and 300 ms, one that counts the usage chunk finds a token too many.',
  source: 'OpenAI’s API reference: a stream is terminated by data: [DONE]; 200 + 48 · 20 + 300 = 1,460',
  right:
    'E2E 1,460; ITL 48 × 20 and 300: mean 25.71; TPOT 1,260 / 49 = 25.71; NTPOT 1,460 / 50 = 29.2; 50 tokens',
  answer: (asked) =>
    streamed([
      ...tokens(asked, 0, TOKENS - 1),
      { atMs: USAGE_MS, body: event(usageChunk(asked)) },
      { atMs: END_MS, body: event(chunk(asked, { finish: 'length' })) + DONE },
    ]),
  sees: () => right,
  known: [
    {
      ...KIND.lastTokenDropped,
      arithmetic:
        'E2E 1,160 (−20.5 %); 48 gaps of 20; TPOT (1,160 − 200) / 49 = 19.59 (−24 %); NTPOT 1,160 / 50 = 23.2',
      sees: () => likeM({ e2eMs: BEFORE_MS, itlMs: gaps(TOKENS - 2, GAP_MS) }),
    },
    {
      ...KIND.endAtUsage,
      arithmetic:
        'E2E 1,310 (−10.3 %); 48 gaps of 20; TPOT (1,310 − 200) / 49 = 22.65 (−11.9 %); NTPOT 1,310 / 50 = 26.2',
      sees: () => likeM({ e2eMs: USAGE_MS, itlMs: gaps(TOKENS - 2, GAP_MS) }),
    },
    {
      ...KIND.usageChunkAsToken,
      arithmetic: '51 tokens; ITL 48 × 20, 150 and 150: mean 1,260 / 50 = 25.2; NTPOT 1,460 / 51 = 28.63',
      sees: () => ({ ...right, tokens: 51, itlMs: [...gaps(TOKENS - 2, GAP_MS), 150, 150] }),
    },
  ],
} satisfies ScriptedProbe;
