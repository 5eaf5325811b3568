import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { GAP_MS, gaps, likeM, M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: '50 events of one token each, and usage that says 50',
  about:
    'A client that tokenizes each event’s text for itself, with a tokenizer that puts a start token before every text (Llama, Gemma), counts two tokens an event: half of its gaps are 0. The server says how many there were.',
  source: 'usage.completion_tokens = 50; 2 · 50 = 100 tokens would have 50 gaps of 0 and 49 of 20',
  right: '50 tokens; ITL 20; TPOT 20; NTPOT 23.6',
  judges: ['tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) => plain(asked),
  sees: () => M,
  known: [
    {
      ...KIND.recountedWithStartToken,
      arithmetic:
        '100 tokens (×2); mean ITL 980 / 99 = 9.9, median 0; TPOT 980 / 99 = 9.9; NTPOT 1,180 / 100 = 11.8',
      reported: ['inference-perf#564'],
      sees: () => likeM({ tokens: 100, itlMs: [...gaps(50, 0), ...gaps(49, GAP_MS)] }),
    },
    {
      kind: 'recounted-whole-with-start-token',
      what: 'tokenizes the joined text with a tokenizer that puts a start token before it',
      arithmetic: '51 tokens (+2 %); TPOT 980 / 50 = 19.6; NTPOT 1,180 / 51 = 23.14',
      sees: () => likeM({ tokens: 51 }),
    },
  ],
} satisfies ScriptedProbe;
