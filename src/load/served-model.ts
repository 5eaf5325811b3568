/** Which model to ask for, where the user does not say: the server's own word. */
import { UserError } from '../system/user-error.ts';

const WAIT_MS = 5000;

/**
 * The first model of the server's `GET /v1/models`. `get` is handed in by tests. Throws a UserError where the server gives none.
 */
export async function servedModel(
  baseUrl: string,
  apiKey: string | null,
  get: typeof fetch = fetch,
): Promise<string> {
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/models`;
  let reason: string;
  try {
    const response = await get(url, {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const body = (await response.json()) as { data?: { id?: unknown }[] };
    const id = body.data?.[0]?.id;
    if (typeof id === 'string' && id !== '') return id;
    reason = `status ${response.status}, no model in it`;
  } catch (error) {
    const cause = (error as Error).cause;
    reason = cause instanceof Error ? cause.message : (error as Error).message;
  }
  throw new UserError(`no --model was given, and ${url} named none (${reason}); say which with --model NAME`);
}
