/** Command lines as they can be pasted into a shell. */
import { oneLine } from './text.ts';

/** A word quoted for a POSIX shell where it needs it. Control characters become spaces: what is shown must be what is pasted. */
export function shellWord(word: string): string {
  const text = oneLine(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A whole command line. */
export const commandLine = (argv: readonly string[]): string => argv.map(shellWord).join(' ');
