/** A client's environment. `${NAME}` in a value is taken from the user's own environment, and is a secret from there on. */
import { CLIENT_ENV } from '../kit/environment.ts';
import { FROM_USER } from './placeholders.ts';
import type { ClientSpec } from './schema.ts';
import { fill, type Values } from './template.ts';

export interface ClientEnvironment {
  readonly env: Readonly<Record<string, string | null>>;
  /** Values that must not reach any file. */
  readonly secrets: readonly string[];
  /** Names that the file asks for and the user's environment lacks. */
  readonly unset: readonly string[];
}

/** `values` null: only looks which of the user's variables are there. */
export function environmentOf(
  spec: ClientSpec,
  values: Values | null,
  user: Readonly<Record<string, string | undefined>> = process.env,
): ClientEnvironment {
  const env: Record<string, string | null> = { ...CLIENT_ENV };
  const secrets = new Set<string>();
  const unset = new Set<string>();
  for (const [name, template] of Object.entries(spec.env)) {
    if (template === null) {
      env[name] = null;
      continue;
    }
    let secret = false;
    // Split, so that braces in what comes from the user are never taken for placeholders.
    const value = template.split(FROM_USER).map((piece, i) => {
      if (i % 2 === 0) return values === null ? '' : fill(piece, values);
      secret = true;
      const own = user[piece];
      if (own === undefined || own === '') unset.add(piece);
      else secrets.add(own);
      return own ?? '';
    });
    env[name] = value.join('');
    // The whole value too: "Bearer <key>" is masked as one.
    if (secret && env[name] !== '') secrets.add(env[name]);
  }
  return { env, secrets: [...secrets].toSorted((a, b) => b.length - a.length), unset: [...unset] };
}
