import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

const DELIVERED = 40;
/** 200 + 39 · 20. */
const END_MS = 980;
const right = likeM({ e2eMs: END_MS, tokens: DELIVERED, itlMs: gaps(DELIVERED - 1, GAP_MS) });

export default {
  scope: 'request',
  title: 'no usage, and 40 tokens where 50 were asked for',
  about:
    'Without usage the number asked for is at hand, and it is not what was delivered: the model stopped after 40. What came must be counted.',
  source: '200 + 39 · 20 = 980; 40 events with text',
  right: '40 tokens, E2E 980, TPOT 780 / 39 = 20, NTPOT 980 / 40 = 24.5',
  judges: ['tokens', 'tpot', 'ntpot'],
  answer: (asked) => streamed(closed(tokens(asked, 0, DELIVERED, 'stop'), DONE)),
  sees: () => right,
  known: [
    {
      ...KIND.requestedAsTokens,
      arithmetic: '50 tokens (+25 %); TPOT 780 / 49 = 15.92 (−20 %); NTPOT 980 / 50 = 19.6',
      sees: () => ({ ...right, tokens: 50 }),
    },
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => ({ ...right, tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
