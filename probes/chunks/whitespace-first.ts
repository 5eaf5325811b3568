import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  title: 'the first five tokens are line ends',
  about:
    'Chat templates often make a model begin with empty lines. The first of them at 200 ms is the first output token: the server has done its prefill.',
  source: 'docs/metrics.md: non-empty content is a token; "\\n" is not empty',
  right: 'TTFT 200, ITL 20, 50 tokens',
  judges: ['ttft', 'tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) => withParts(asked, (i) => (i < 5 ? { delta: { content: '\n' } } : {})),
  sees: () => M,
  known: [
    {
      ...KIND.whitespaceDropped,
      arithmetic:
        'TTFT 300 (+50 %); 45 tokens; 44 gaps of 20; TPOT (1,180 − 300) / 44 = 20; NTPOT 1,180 / 45 = 26.22',
      sees: () => likeM({ ttftMs: 300, tokens: 45, itlMs: gaps(44, GAP_MS) }),
    },
    {
      ...KIND.recountedText,
      arithmetic: '45 words: TPOT 980 / 44 = 22.27; NTPOT 1,180 / 45 = 26.22',
      sees: () => likeM({ tokens: 45 }),
    },
  ],
} satisfies ScriptedProbe;
