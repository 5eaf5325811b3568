import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { LAST_MS, likeM, TTFT_MS } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const STEP_MS = 20;

export default {
  scope: 'run',
  requests: 11,
  title: 'each request’s TTFT 20 ms longer than that of the one before',
  about:
    'The server falls behind: 200, 220, … 400 ms over eleven requests. Percentiles of it are known exactly, and every request must be in them, the last as well as the first.',
  source: 'arithmetic: 200 + 20 · i, i = 0 … 10',
  right: 'TTFT mean 300, median 300, p90 380, p99 398 (interpolated; 400 by rank); E2E mean 1,280; ITL 20',
  judges: ['ttft', 'e2e'],
  answer: (asked) =>
    streamed(plainPieces(asked).map(({ atMs, body }) => ({ atMs: atMs + asked.place * STEP_MS, body }))),
  sees: (place) => likeM({ ttftMs: TTFT_MS + place * STEP_MS, e2eMs: LAST_MS + place * STEP_MS }),
  known: [
    {
      kind: 'first-for-all',
      what: 'gives the first request’s figures for the whole run',
      arithmetic: 'TTFT mean 200 (−33 %)',
      sees: () => likeM({}),
    },
  ],
} satisfies ScriptedProbe;
