import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { headersAsToken } from '../kit/faults.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'the head at 150 ms, the first token at 200',
  about:
    'Some servers answer once the request is scheduled: neither at once nor with the first token. The head’s moment is one of its own.',
  source: 'arithmetic of M',
  right: 'TTFT 200',
  judges: ['ttft'],
  answer: (asked) => plain(asked, { headMs: 150 }),
  sees: () => M,
  known: [headersAsToken(150, 'TTFT 150 (−25 %); TPOT (1,180 − 150) / 49 = 21.02')],
} satisfies ScriptedProbe;
