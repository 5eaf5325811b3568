import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorAsSuccess, tokenless } from '../kit/faults.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { whole } from '../kit/stream.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'an HTML page with status 200',
  about:
    'A login page, a maintenance page, the index of the wrong server: an answer, but not to this question. It holds no event.',
  source: 'OpenAI API: the answer to stream: true is an event stream',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () =>
    whole(
      '200 OK',
      '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>',
      HEAD_MS,
      [['content-type', 'text/html']],
    ),
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
