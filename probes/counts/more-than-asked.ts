import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, M } from '../kit/profile.ts';
import { answerOf } from '../kit/shapes.ts';
import { streamed } from '../kit/stream.ts';

const DELIVERED = 60;
/** 200 + 59 · 20. */
const END_MS = 1380;
const right = likeM({ e2eMs: END_MS, tokens: DELIVERED, itlMs: gaps(DELIVERED - 1, GAP_MS) });

export default {
  scope: 'request',
  title: '60 tokens where 50 were asked for',
  about:
    'A server that knows max_completion_tokens and not max_tokens, or rounds up to its speculation’s steps, sends more than was asked. What was delivered counts.',
  source: '200 + 59 · 20 = 1,380; usage says 60',
  right: '60 tokens, E2E 1,380, TPOT 1,180 / 59 = 20, NTPOT 1,380 / 60 = 23',
  judges: ['tokens', 'e2e', 'tpot', 'ntpot'],
  answer: (asked) => streamed(answerOf(asked, DELIVERED)),
  sees: () => right,
  known: [
    {
      ...KIND.requestedAsTokens,
      arithmetic: '50 tokens (−17 %); TPOT 1,180 / 49 = 24.08 (+20 %); NTPOT 1,380 / 50 = 27.6 (+20 %)',
      sees: () => ({ ...right, tokens: 50 }),
    },
    {
      kind: 'stops-at-requested',
      what: 'stops reading at the number asked for',
      arithmetic: '50 tokens, E2E 1,180 (−14.5 %); TPOT 980 / 49 = 20; NTPOT 1,180 / 50 = 23.6',
      sees: () => M,
    },
  ],
} satisfies ScriptedProbe;
