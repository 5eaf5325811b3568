/**
 * Running GenAI-Perf elsewhere: perf_analyzer needs a newer glibc than many hosts have, so it often lives in a container, in another
 * root or on another machine. A command prefix (`chroot /srv/trixie`, `docker exec box`, `ssh host`) goes before every command, and where the
 * other side sees a different file tree, the folder that is its root here says how paths translate.
 */
import { isAbsolute, posix, relative, resolve } from 'node:path';
import { UserError } from '../../src/system/user-error.ts';

export interface Place {
  /** Words before every command; none for the machine itself. */
  readonly prefix: readonly string[];
  /** What is `/` there, as a path here; null where both sides see the same tree. */
  readonly root: string | null;
  /** The program there: a path, or a name on its PATH. */
  readonly program: string | null;
}

export const VARIABLES = {
  prefix: 'TARE_GENAI_PERF_PREFIX',
  root: 'TARE_GENAI_PERF_ROOT',
  program: 'TARE_GENAI_PERF_BIN',
} as const;

/**
 * Splits a command prefix into words as a shell would: white space, single and double quotes, backslash. Nothing is expanded.
 * @throws UserError when a quote is not closed.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (char === '\\' && quote === '"' && i + 1 < text.length) word += text[++i]!;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '\\' && i + 1 < text.length) word = (word ?? '') + text[++i]!;
    else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== null) throw new UserError(`${VARIABLES.prefix} has a ${quote} that is not closed: ${text}`);
  if (word !== null) words.push(word);
  return words;
}

/** The place that the environment names. */
export function placeFrom(env: Readonly<Record<string, string | undefined>>): Place {
  const root = env[VARIABLES.root];
  return {
    prefix: splitWords(env[VARIABLES.prefix] ?? ''),
    root: root && resolve(root) !== '/' ? resolve(root) : null,
    program: env[VARIABLES.program] || null,
  };
}

/** A path of this side as the other side sees it; null if it lies outside what that side can see. */
export function pathThere(place: Pick<Place, 'root'>, path: string): string | null {
  if (place.root === null) return path;
  const inside = relative(place.root, path);
  return inside.startsWith('..') || isAbsolute(inside) ? null : posix.join('/', inside);
}

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * A command in that place. With a prefix the environment goes along in words, since chroot alone would pass it on. GenAI-Perf starts
 * perf_analyzer by name, so the folder of a program given by path comes first on PATH.
 */
export function commandThere(
  place: Place,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  path: string = process.env.PATH ?? USUAL_PATH,
): { argv: string[]; env: Record<string, string> } {
  const remote = place.prefix.length > 0;
  const folder = program.includes('/') ? posix.dirname(program) : null;
  const variables = { ...env };
  if (folder !== null) variables.PATH = `${folder}:${remote ? USUAL_PATH : path}`;
  if (!remote) return { argv: [program, ...args], env: variables };
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return { argv: [...place.prefix, 'env', ...words, program, ...args], env: {} };
}
