/** Files and disks: is there room, and what an error of theirs means, in words. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, UserError } from './user-error.ts';

const MEANING: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space, or choose another folder with --out.'],
  EDQUOT: ['your disk quota is used up', 'Free some space, or choose another folder with --out.'],
  EACCES: [
    'permission denied',
    'Choose a folder that you may write to with --out, or change its permissions.',
  ],
  EPERM: ['not permitted', 'Choose a folder that you may write to with --out.'],
  EROFS: ['the file system is read-only', 'Choose a folder that can be written to with --out.'],
  ENOENT: ['it does not exist', 'Check the path.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Check the path.'],
  EISDIR: ['it is a folder, not a file', 'Check the path.'],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n 20000).'],
  ENFILE: ['too many files are open on this machine', 'Raise fs.file-max, or end what holds them.'],
  EIO: ['the disk reported an input/output error', 'Check the disk (dmesg).'],
};

/** The machine's fault; the others are a wrong path. */
const MACHINE = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO']);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** What happened to `path`, on one line: "cannot write /x: the disk is full". */
export function explainFileError(error: unknown, path: string, verb = 'write'): string {
  const what = MEANING[codeOf(error)]?.[0] ?? (error instanceof Error ? error.message : String(error));
  return `cannot ${verb} ${path}: ${what}`;
}

/** A file error as one that the user can mend; anything else comes back as it was, for the caller to throw. */
export function asFileError(error: unknown, path: string, verb = 'write'): unknown {
  const meaning = MEANING[codeOf(error)];
  if (meaning === undefined) return error;
  const words = explainFileError(error, path, verb);
  return new UserError(
    `${words[0]!.toUpperCase()}${words.slice(1)}. ${meaning[1]}`,
    MACHINE.has(codeOf(error)) ? EXIT.harnessInvalid : EXIT.usage,
  );
}

/** Bytes that this user may still write where `folder` is, or will be; null where that cannot be told. */
export function freeBytes(folder: string): number | null {
  for (let path = folder; ; path = dirname(path)) {
    try {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || path === dirname(path)) return null;
    }
  }
}

const megabytes = (count: number): string => `${count.toLocaleString('en-US')} MB`;

/** Throws a UserError when there is less than `bytes` of room for `folder`. `free` is handed in by tests. */
export function requireSpace(folder: string, bytes: number, free: number | null = freeBytes(folder)): void {
  if (free === null || free >= bytes) return;
  throw new UserError(
    `Not enough room in ${folder}: this needs about ${megabytes(Math.ceil(bytes / 1e6))}, and ${megabytes(Math.floor(free / 1e6))} are free. ` +
      'Free some space, choose another folder with --out, or plan fewer or shorter trials.',
    EXIT.harnessInvalid,
  );
}
