/** Where a client file is, and what is kept beside it. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { clientFolder } from '../../src/system/cache-folder.ts';

export interface Home {
  /** The client file's path; null for a client that ships with Tare. */
  readonly file: string | null;
  /** The folder of the client file, `{here}`. */
  readonly here: string;
  /** The client's own folder under Tare's cache, `{cache}`. */
  readonly cache: string;
  readonly text: string;
  readonly sha256: string;
}

/** The home of a client file; `builtIn` for one that ships with Tare. */
export const homeOf = (name: string, path: string, text: string, builtIn: boolean): Home => ({
  file: builtIn ? null : path,
  here: dirname(path),
  cache: clientFolder(name),
  text,
  sha256: createHash('sha256').update(text).digest('hex'),
});
