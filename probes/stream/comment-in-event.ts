import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M, TOKENS } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

/** Which tokens have a comment in their event: every second one; never the last. */
const commented = (i: number): boolean => i % 2 === 1 && i < TOKENS - 1;

export default {
  scope: 'request',
  title: 'a comment line in an event, in front of its data',
  about:
    'A proxy’s comment need not have an empty line of its own: it may stand in front of the data line of an event, here of every second token. The comment is ignored, the event is not.',
  source: `${INTERPRETING}: lines are taken one by one; a comment line is ignored and ends no event`,
  right: 'as without comments: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data, i) => (commented(i) ? `: ping\n${event(data)}` : event(data))),
  sees: () => M,
  known: [
    {
      kind: 'commented-event-lost',
      what: 'drops the whole event that begins with a comment',
      arithmetic: 'mean ITL 980 / 25 = 39.2 (+96 %)',
      sees: () => seenAt(TOKEN_INSTANTS.filter((_, i) => !commented(i))),
    },
  ],
} satisfies ScriptedProbe;
