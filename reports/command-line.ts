/** Command lines as they can be pasted into a shell. */
import { clipped, oneLine } from './text.ts';

/** A word quoted for a POSIX shell where it needs it. Control characters become spaces: what is shown must be what is pasted. */
export function shellWord(word: string, length = Number.POSITIVE_INFINITY): string {
  const text = length === Number.POSITIVE_INFINITY ? oneLine(word) : clipped(word, length);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A whole command line. `length`: words of more characters end in an ellipsis. */
export const commandLine = (argv: readonly string[], length?: number): string =>
  argv.map((word) => shellWord(word, length)).join(' ');
