/** Where a command puts its results when it is not told. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { explainFileError } from '../system/disk.ts';
import { makeFolder } from '../system/make-folder.ts';
import { UserError } from '../system/user-error.ts';

/** `results/audit-20261129-180000`, in local time. */
export function defaultFolder(what: string, now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `results/${what}-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

/** Makes a folder that is to hold results. One that exists must be empty. */
export async function makeEmptyFolder(path: string): Promise<void> {
  try {
    if (existsSync(path) && (await readdir(path)).length > 0)
      throw new UserError(`${path} is not empty: choose an empty or new folder with --out DIR.`);
    await makeFolder(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${explainFileError(error, path)}. Choose another folder with --out DIR.`);
  }
}
