import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { TOKEN_TEXT } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, M, TOKENS } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  title: 'role and first text in one chunk at 200 ms',
  about:
    'Some servers put the role beside the first token’s text. A client that skips "the role’s chunk" to mend the role-first fault skips a token here.',
  source:
    'arithmetic of M; a delta with non-empty content is a token, whatever else it holds (docs/metrics.md)',
  right: 'TTFT 200, 49 gaps of 20, TPOT 20, 50 tokens',
  judges: ['ttft', 'itl', 'tpot', 'tokens', 'ntpot'],
  answer: (asked) =>
    withParts(asked, (i) => (i === 0 ? { delta: { role: 'assistant', content: TOKEN_TEXT } } : {})),
  sees: () => M,
  known: [
    {
      ...KIND.firstTokenDropped,
      arithmetic:
        'TTFT 220 (+10 %); 48 gaps of 20; TPOT (1,180 − 220) / 49 = 19.59 (−2.0 %) with usage’s count',
      sees: () => likeM({ ttftMs: 220, itlMs: gaps(TOKENS - 2, GAP_MS) }),
    },
  ],
} satisfies ScriptedProbe;
