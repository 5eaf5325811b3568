import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a sound stream with status 201',
  about:
    'Gateways that make a resource of each completion answer 201 Created. Any 2xx is a success; a client that compares with 200 throws away a whole, timed answer.',
  source: 'RFC 9110 §15: a client MUST understand the class of any status code; §15.3.2',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { status: '201 Created' }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
