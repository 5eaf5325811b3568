import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: '`data:[DONE]` without its space',
  about:
    'Only the last event leaves out the space that is optional in every event. A client that compares the line with `data: [DONE]` takes it for JSON, and calls a whole answer failed.',
  source: `${INTERPRETING}: “If value starts with a U+0020 SPACE character, remove it from value.”`,
  right: 'a success; TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => (data === '[DONE]' ? 'data:[DONE]\n\n' : event(data))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
