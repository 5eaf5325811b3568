import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { OPENAI_STREAM } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { GAP_MS, LAST_MS, M } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const AFTER = Array.from({ length: 10 }, (_, k) => LAST_MS + (k + 1) * GAP_MS);

export default {
  scope: 'request',
  title: 'ten more text events behind [DONE]',
  about:
    '[DONE] ends the answer. What comes behind it in the same body, here ten events over 200 ms, is not part of it, and moves neither E2E nor the gaps.',
  source: OPENAI_STREAM,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    streamed([...plainPieces(asked), ...AFTER.map((atMs) => ({ atMs, body: event(chunk(asked)) }))]),
  sees: () => M,
  known: [
    {
      kind: 'reads-past-done',
      what: 'goes on reading tokens behind [DONE]',
      arithmetic:
        'E2E 1,380 (+16.9 %); TPOT (1,380 − 200) / 49 = 24.08 (+20.4 %); NTPOT 1,380 / 50 = 27.6; mean ITL 20',
      sees: () => seenAt([...TOKEN_INSTANTS, ...AFTER]),
    },
  ],
} satisfies ScriptedProbe;
