import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a reason that looks like an error: 200 Internal Server Error',
  about: 'Only the number says how it went; the reason is for people, and not reliable.',
  source: 'RFC 9112 §4: a client SHOULD ignore the reason-phrase content',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { status: '200 Internal Server Error' }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
