/** That no two outputs of a run are one file, and none is a file that it reads: the one would be lost in the other. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../system/user-error.ts';

/** A flag, as it is spelled, and the file that it names; undefined: none. */
export type NamedPath = readonly [flag: string, path: string | undefined];

/** What a file is, whatever its names; null for what is no plain file (/dev/null, a pipe), to which several may write. */
function identity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return statSync(path).isFile() ? `${dev}:${ino}` : null;
  } catch {
    // Not there yet: the folder may have several names all the same.
    const full = resolve(path);
    try {
      return join(realpathSync(dirname(full)), basename(full));
    } catch {
      return full;
    }
  }
}

/** Throws a UserError where two of `outputs`, or one of them and one of `inputs`, are one file. */
export function refuseSameFile(outputs: readonly NamedPath[], inputs: readonly NamedPath[] = []): void {
  const seen = new Map<string, { readonly flag: string; readonly read: boolean }>();
  const named = [
    ...inputs.map(([flag, path]) => ({ flag, path, read: true })),
    ...outputs.map(([flag, path]) => ({ flag, path, read: false })),
  ];
  for (const { flag, path, read } of named) {
    const file = path === undefined ? null : identity(path);
    if (file === null) continue;
    const before = seen.get(file);
    if (before !== undefined && !read)
      throw new UserError(
        before.read
          ? `${flag} would write over ${path}, which ${before.flag} reads; give another file`
          : `${before.flag} and ${flag} are one file, ${path}: the one would be lost in the other; give each its own`,
      );
    seen.set(file, { flag, read });
  }
}
