/** Which model to ask for, where the user does not say: the server's own word. */
import { UserError } from '../system/user-error.ts';

const WAIT_MS = 5000;

const MEANING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused, so nothing listens on that port',
  ECONNRESET: 'it closed the connection without an answer',
  UND_ERR_SOCKET: 'it closed the connection without an answer',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
};

/** fetch says only "fetch failed"; what failed is in its cause, which for a name of several addresses has a code and no words. */
function whyUnreachable(error: Error): string {
  if (error.name === 'TimeoutError') return `it did not answer within ${WAIT_MS / 1000} s`;
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  const meaning = MEANING[cause.code ?? ''];
  // Such as 9, 25 and 6000, which browsers keep to other services.
  if (cause.message === 'bad port') return 'its port is one that Node’s fetch never asks';
  if (meaning !== undefined) return `${meaning} (${cause.code})`;
  return cause.message || cause.code || error.message;
}

/**
 * The first model of the server's `GET /v1/models`. `get` is handed in by tests. Throws a UserError where the server cannot be reached, or
 * gives none.
 */
export async function servedModel(
  baseUrl: string,
  apiKey: string | null,
  get: typeof fetch = fetch,
): Promise<string> {
  const base = baseUrl.replace(/\/+$/, '');
  const url = `${base}/v1/models`;
  let response: Response;
  try {
    response = await get(url, {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(WAIT_MS),
    });
  } catch (error) {
    throw new UserError(
      `the server at ${base} cannot be reached: ${whyUnreachable(error as Error)}. See that it runs, and check host and port.`,
    );
  }
  let reason = `status ${response.status}, no model in it`;
  try {
    const body = (await response.json()) as { data?: { id?: unknown }[] };
    const id = body.data?.[0]?.id;
    if (typeof id === 'string' && id !== '') return id;
  } catch (error) {
    reason = `status ${response.status}, ${(error as Error).message}`;
  }
  throw new UserError(`no --model was given, and ${url} named none (${reason}); say which with --model NAME`);
}
