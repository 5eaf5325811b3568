import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an event named error with plain text',
  about:
    'The event’s name says it; its data is no JSON. A reader that looks at data lines alone and skips what it cannot parse sees a stream that merely ends.',
  source: 'WHATWG HTML §9.2.6: the event field names the event’s type; the name error says what it is',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => closing(closed(tokens(asked, 0, 10), 'event: error\ndata: the engine died\n\n')),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
