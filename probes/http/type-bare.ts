import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'text/event-stream without a charset',
  about:
    'An event stream is UTF-8 whatever is said or not said, so the parameter may be left out; most servers leave it out.',
  source: 'WHATWG HTML §9.2.5: event streams are always decoded as UTF-8',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { headers: [['content-type', 'text/event-stream']] }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
