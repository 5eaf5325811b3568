import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE } from '../kit/chunk.ts';
import { endAt } from '../kit/faults.ts';
import { OPENAI_STREAM } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a second [DONE], 100 ms behind the first',
  about:
    'A gateway that ends each stream with [DONE] adds one to that of the server behind it. The first one ends the answer. A client that runs its clock to the last line is late by the gateway’s delay.',
  source: OPENAI_STREAM,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => streamed([...plainPieces(asked), { atMs: 1280, body: DONE }]),
  sees: () => M,
  known: [
    endAt('response', 1280, 'E2E 1,280 (+8.5 %); TPOT (1,280 − 200) / 49 = 22.04; NTPOT 1,280 / 50 = 25.6'),
  ],
} satisfies ScriptedProbe;
