import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, event, usageChunk } from '../kit/chunk.ts';
import { endAt } from '../kit/faults.ts';
import { M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'usage with the last token, [DONE] 300 ms later, the body’s end 300 ms after that',
  about:
    'All that there is to know has come at 1,180. What follows at 1,480 and 1,780 only says that nothing follows.',
  source: 'E2E ends with the last output token (docs/metrics.md); arithmetic of M',
  right: 'E2E 1,180, TPOT 20',
  judges: ['success', 'tpot', 'ntpot', 'e2e'],
  answer: (asked) => {
    const answer = tokens(asked, 0, TOKENS, 'length');
    const usage = asked.includeUsage ? event(usageChunk(asked)) : '';
    return streamed([...closed(answer, usage), { atMs: 1480, body: DONE }], { endMs: 1780 });
  },
  sees: () => M,
  known: [
    endAt('done', 1480, 'E2E 1,480 (+25 %); TPOT (1,480 − 200) / 49 = 26.12 (+31 %); NTPOT 29.6'),
    endAt('response', 1780, 'E2E 1,780 (+51 %); TPOT (1,780 − 200) / 49 = 32.24 (+61 %); NTPOT 35.6'),
  ],
} satisfies ScriptedProbe;
