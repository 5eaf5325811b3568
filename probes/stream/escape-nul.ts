import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { isOdd } from '../kit/every-second.ts';
import { JSON_RFC } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'text with an escaped NUL in every second event',
  about:
    '`\\u0000` is a character like any other in a JSON string, and the grammar of event streams does not see it. A client that keeps text in C strings ends it there.',
  source: `${JSON_RFC} §7: “Any character may be escaped”, U+0000 among those that must be`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    everyEvent(asked, (data, i) => event(isOdd(i) ? data.replace(' tok', ' \\u0000tok') : data)),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
