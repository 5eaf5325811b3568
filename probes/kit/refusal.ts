/** Refusals: an error status with the error object that OpenAI-compatible servers send. */
import type { Answer } from '../../src/measure/probe/answer.ts';
import { errorAsSuccess, tokenless } from './faults.ts';
import { HEAD_MS } from './profile.ts';
import { type HeaderList, JSON_HEADERS, whole } from './stream.ts';

/** A whole answer with an error object, e.g. of status `503 Service Unavailable`. */
export function refused(status: string, message: string, atMs = HEAD_MS, headers: HeaderList = []): Answer {
  const code = Number.parseInt(status, 10);
  const error = { message, type: code < 500 ? 'invalid_request_error' : 'server_error', param: null, code };
  return whole(status, JSON.stringify({ error }), atMs, [...JSON_HEADERS, ...headers]);
}

/** What a client that looks at no status makes of a refusal at the head’s instant. */
export const REFUSED = errorAsSuccess(
  tokenless(HEAD_MS),
  'success 100 %; E2E 5, no tokens',
  'counts every answer as a success, whatever its status',
  [],
);
