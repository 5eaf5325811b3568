/** The API key of `tare load`: from the environment or a file, never from a flag, so that it is in no list of processes and no shell history. */
import { readFileSync } from 'node:fs';
import { UserError } from '../system/user-error.ts';

export interface KeyFlags {
  readonly apiKeyEnv: string;
  readonly apiKeyFile?: string;
}

export const DEFAULT_KEY_ENV = 'OPENAI_API_KEY';

/** What may stand in a header: visible ASCII. fetch would show the whole key in its error otherwise. */
function checked(key: string, from: string): string {
  const at = key.search(/[^\x21-\x7e]/);
  if (at >= 0)
    throw new UserError(
      `the API key from ${from} holds a character, its number ${at + 1}, that a header may not have; give the bare key, without quotes, spaces or line feeds`,
    );
  return key;
}

/** From the file, else from the environment variable; null without either. Throws a UserError that never holds the key. */
export function apiKey(
  flags: KeyFlags,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  if (flags.apiKeyFile !== undefined) {
    let text: string;
    try {
      text = readFileSync(flags.apiKeyFile, 'utf8').trim();
    } catch (error) {
      throw new UserError(`the API key could not be read: ${(error as Error).message}`);
    }
    if (text === '') throw new UserError(`the file of the API key is empty: ${flags.apiKeyFile}`);
    return checked(text, flags.apiKeyFile);
  }
  const value = env[flags.apiKeyEnv]?.trim();
  if (value) return checked(value, flags.apiKeyEnv);
  if (flags.apiKeyEnv !== DEFAULT_KEY_ENV)
    throw new UserError(
      `the environment variable ${flags.apiKeyEnv}, which was to hold the API key, is not set`,
    );
  return null;
}
