import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorChunk } from '../kit/chunk.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { whole } from '../kit/stream.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'a JSON error with status 200',
  about:
    'Some gateways answer 200 whatever happened and put the error into the body. No data line, so a reader of event streams finds nothing at all.',
  source: 'OpenAI API: the answer to stream: true is an event stream',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () => whole('200 OK', errorChunk('model is not loaded')),
  sees: () => FAILED,
  known: [
    errorAsSuccess(
      tokenless(HEAD_MS),
      'success 100 %; E2E 5, no tokens',
      'counts the request as a success by its status',
      [],
    ),
  ],
} satisfies ScriptedProbe;
