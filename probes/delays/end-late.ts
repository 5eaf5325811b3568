import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { endAt } from '../kit/faults.ts';
import { LAST_MS, M } from '../kit/profile.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'the body’s end 300 ms behind the last token and [DONE]',
  about:
    'The last HTTP chunk comes late: the server cleans up before it lets go. The answer was complete 300 ms before; a latency that runs to the end of the body has the clean-up in it.',
  source: 'E2E ends with the last output token (docs/metrics.md); arithmetic of M',
  right: 'E2E 1,180, TPOT 20',
  judges: ['success', 'tpot', 'ntpot', 'e2e'],
  answer: (asked) => streamed(plainPieces(asked), { endMs: LAST_MS + 300 }),
  sees: () => M,
  known: [endAt('response', 1480, 'E2E 1,480 (+25 %); TPOT (1,480 − 200) / 49 = 26.12 (+31 %); NTPOT 29.6')],
} satisfies ScriptedProbe;
