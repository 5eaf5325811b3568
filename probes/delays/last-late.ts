import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { GAP_MS, gaps, likeM, TOKENS } from '../kit/profile.ts';
import { plainPieces, streamed, tokenMs } from '../kit/stream.ts';

const LAST_AT = tokenMs(TOKENS - 2) + 500;
const LATE = likeM({ e2eMs: LAST_AT, itlMs: [...gaps(TOKENS - 2, GAP_MS), 500] });

export default {
  scope: 'request',
  title: 'the last token 500 ms behind the one before',
  about:
    'The last token comes with its finish_reason, usage and [DONE], after a pause. E2E runs to it. A client that stops at finish_reason before it looks at the content loses the token and the pause.',
  source: 'arithmetic: token 49 at 1,160, token 50 at 1,660; 48 gaps of 20 and one of 500 are 1,460 ms',
  right: 'TTFT 200, E2E 1,660, mean ITL and TPOT 1,460 / 49 = 29.80, median ITL 20, 50 tokens',
  judges: ['tokens', 'itl', 'tpot', 'e2e'],
  answer: (asked) =>
    streamed(
      plainPieces(asked).map((piece, i) => (i < TOKENS - 1 ? piece : { atMs: LAST_AT, body: piece.body })),
    ),
  sees: () => LATE,
  known: [
    {
      kind: 'last-token-dropped',
      what: 'does not count the content of the chunk that has the finish_reason; tokens by usage',
      arithmetic: 'E2E 1,160 (−30 %); mean ITL 20 (−33 %); TPOT 960 / 49 = 19.59 (−34 %)',
      sees: () => ({ ...LATE, e2eMs: tokenMs(TOKENS - 2), itlMs: gaps(TOKENS - 2, GAP_MS) }),
    },
    {
      kind: 'last-token-dropped',
      what: 'the same, with tokens by its own count',
      arithmetic: 'E2E 1,160 (−30 %); 49 tokens (−2 %); TPOT 960 / 48 = 20 (−33 %)',
      sees: () => ({
        ...LATE,
        e2eMs: tokenMs(TOKENS - 2),
        tokens: TOKENS - 1,
        itlMs: gaps(TOKENS - 2, GAP_MS),
      }),
    },
  ],
} satisfies ScriptedProbe;
