import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { gaps, likeM, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

/** Every other token is white space: words at 200, 240, … 1,160; the others at 220 … 1,180. */
const SPACE = ['\n', ' ', '\t', '\n\n'];

export default {
  scope: 'request',
  title: 'every second token is white space alone',
  about:
    'Line ends and indents are tokens like any other: code is full of them. A client that strips a delta before it asks whether it is empty loses half of the tokens here.',
  source: 'docs/metrics.md: non-empty content is a token; " " and "\\n" are not empty',
  right: '50 tokens; M’s figures',
  judges: ['tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) =>
    withParts(asked, (i) => (i % 2 === 0 ? {} : { delta: { content: SPACE[((i - 1) / 2) % SPACE.length] } })),
  sees: () => M,
  known: [
    {
      ...KIND.whitespaceDropped,
      arithmetic:
        '25 tokens; 24 gaps of 40 (+100 %); E2E 1,160; TPOT (1,160 − 200) / 24 = 40; NTPOT 1,160 / 25 = 46.4',
      sees: () => likeM({ tokens: 25, e2eMs: 1160, itlMs: gaps(24, 40) }),
    },
    {
      ...KIND.recountedText,
      arithmetic: '25 words: TPOT 980 / 24 = 40.83; NTPOT 1,180 / 25 = 47.2',
      sees: () => likeM({ tokens: 25 }),
    },
  ],
} satisfies ScriptedProbe;
