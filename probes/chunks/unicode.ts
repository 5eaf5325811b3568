import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { gaps, likeM, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

/** Two, three and four bytes a character in UTF-8; a family of four joined to one sign; an accent of its own; a line separator. */
const WORDS = [' é', ' 語', ' 🙂', ' 👨‍👩‍👧‍👦', ' e\u0301', ' a\u2028b', ' \u00a0x', ' \u200bz'];

export default {
  scope: 'request',
  title: 'text beyond ASCII, a whole token an event',
  about:
    'Characters of two to four bytes, joined signs, and U+2028, which Python’s splitlines (and line readers built on it) take for a line end, though an event stream knows only CR and LF. No character is cut.',
  source: 'RFC 8259 §8.1: JSON is UTF-8; WHATWG HTML §9.2.5: lines end with LF, CR or CRLF alone',
  right: 'success; 50 tokens; M’s figures',
  judges: ['success', 'tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) => withParts(asked, (i) => ({ delta: { content: WORDS[i % WORDS.length] } })),
  sees: () => M,
  known: [
    {
      kind: 'lines-by-unicode',
      what: 'splits lines at U+2028 too and drops the two halves of such an event',
      arithmetic:
        '44 of the 50 tokens are seen, six are lost: 37 gaps of 20 and 6 of 40; NTPOT 1,180 / 44 = 26.82; TPOT 980 / 43 = 22.79',
      sees: () => likeM({ tokens: 44, itlMs: [...gaps(37, 20), ...gaps(6, 40)] }),
    },
    {
      ...KIND.recountedText,
      arithmetic: 'U+2028 divides six words: 56 by words; TPOT 980 / 55 = 17.82; NTPOT 1,180 / 56 = 21.07',
      sees: () => likeM({ tokens: 56 }),
    },
  ],
} satisfies ScriptedProbe;
