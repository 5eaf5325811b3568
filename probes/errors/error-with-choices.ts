import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, DONE, event } from '../kit/chunk.ts';
import { errorAsSuccess, requestedAsTokens, upTo } from '../kit/faults.ts';
import { FAILED } from '../kit/profile.ts';
import { closed, tokens } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an error beside a choice that looks like any other',
  about:
    'Routers put the error into a chunk with id, model and a choice with empty content and finish_reason “error”. A client that looks at choices first, or only, takes it for the end.',
  source: 'OpenAI API: a stream ends with data: [DONE]; an error object is no part of a completion',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) =>
    closing(
      closed(
        tokens(asked, 0, 10),
        event(
          chunk(asked, {
            delta: { content: '' },
            finish: 'error',
            extra: { error: { code: 'server_error', message: 'provider disconnected' } },
          }),
        ) + DONE,
      ),
    ),
  sees: () => FAILED,
  known: [
    errorAsSuccess(upTo(10), 'success 100 %; E2E 380, 10 tokens, ITL and TPOT 20'),
    requestedAsTokens(
      upTo(10, { tokens: 50 }),
      'success 100 %; 50 tokens for 10 delivered; TPOT 180 / 49 = 3.67 (−82 %)',
    ),
  ],
} satisfies ScriptedProbe;
