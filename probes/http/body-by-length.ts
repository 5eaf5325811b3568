import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { WHOLE_BODY } from '../kit/faults.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a stream whose length is known: content-length instead of chunks',
  about:
    'The head says how long the body is, and the events come one by one all the same. Framing says where a body ends, not when its bytes may be read.',
  source: 'RFC 9112 §6.3 item 6; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success', 'ttft', 'itl'],
  answer: (asked) => plain(asked, { framing: 'length' }),
  sees: () => M,
  known: [WHOLE_BODY],
} satisfies ScriptedProbe;
