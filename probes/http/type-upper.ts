import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'Text/Event-Stream; Charset="UTF-8"',
  about:
    'Types, subtypes and parameter names have no case, and a parameter’s value may be quoted. A client that compares letter by letter takes this for another type.',
  source: 'RFC 9110 §8.3.1 and §5.6.6',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { headers: [['content-type', 'Text/Event-Stream; Charset="UTF-8"']] }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
