/** Finding a program as execvp does, so that "not there" is told before the start, in words. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

export type Resolved = { readonly path: string } | { readonly failure: string };

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** `program` with a slash is a path from `cwd`; otherwise it is looked for in `path` (the PATH variable). */
export function resolveProgram(program: string, cwd: string, path: string | undefined): Resolved {
  const direct = program.includes('/');
  const candidates = direct
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : (path ?? '/usr/bin:/bin')
        .split(delimiter)
        .map((folder) => join(folder === '' ? cwd : resolve(cwd, folder), program));
  let refused: string | null = null;
  for (const candidate of candidates) {
    const stat = statOf(candidate);
    if (stat === null) continue;
    if (!stat.isFile()) {
      if (direct)
        return {
          failure: `${candidate} is not a program but a ${stat.isDirectory() ? 'folder' : 'special file'}`,
        };
      continue;
    }
    try {
      accessSync(candidate, constants.X_OK);
      return { path: candidate };
    } catch {
      refused ??= candidate;
    }
  }
  if (refused !== null) return { failure: `${refused} may not be executed (EACCES: no permission)` };
  return {
    failure: direct
      ? `there is no file ${candidates[0]} (ENOENT)`
      : `there is no program "${program}" on the PATH (ENOENT)`,
  };
}
