/** Where Tare keeps what it installs: one folder a client, each with a marker file that is written last. */
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** $TARE_CACHE, else $XDG_CACHE_HOME/tare, else ~/.cache/tare. */
export function cacheRoot(env: Environment = process.env): string {
  if (env.TARE_CACHE) return env.TARE_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tare');
}

/** The folder of one client's installation (it may not exist). */
export const clientFolder = (name: string, env: Environment = process.env): string =>
  join(cacheRoot(env), name);
