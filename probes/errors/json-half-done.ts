import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'ten tokens, half a JSON text in an event, then [DONE]',
  about:
    'The engine’s writer broke off in the middle of a chunk, and the server closed the stream as always.',
  source: 'OpenAI API: the data of each event is a JSON object; RFC 8259',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) => closing(closed(tokens(asked, 0, 10), event(chunk(asked).slice(0, 60)) + DONE)),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
