import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asFileError, explainFileError, freeBytes, requireSpace } from '../../src/system/disk.ts';
import { EXIT, UserError } from '../../src/system/user-error.ts';

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('no error');
}

describe('an error of a file, in words', () => {
  it('full disk: the machine is at fault', () => {
    const error = errorOf(() => writeFileSync('/dev/full', 'x'));
    expect(explainFileError(error, '/dev/full')).toBe('cannot write /dev/full: the disk is full');
    const user = asFileError(error, '/dev/full') as UserError;
    expect(user).toBeInstanceOf(UserError);
    expect(user.code).toBe(EXIT.harnessInvalid);
    expect(user.message).toBe(
      'Cannot write /dev/full: the disk is full. Free some space, or choose another folder with --out.',
    );
  });

  it('a wrong path: the command line is at fault', () => {
    const error = errorOf(() => mkdirSync('/dev/null/x'));
    const user = asFileError(error, '/dev/null/x', 'make') as UserError;
    expect(user.code).toBe(EXIT.usage);
    expect(user.message).toBe(
      'Cannot make /dev/null/x: a part of the path is a file, not a folder. Check the path.',
    );
  });

  it.each(['EACCES', 'EROFS', 'EDQUOT', 'EISDIR'])('%s has words of its own', (code) => {
    const error = Object.assign(new Error('raw'), { code });
    expect(explainFileError(error, '/x')).not.toContain('raw');
    expect(asFileError(error, '/x')).toBeInstanceOf(UserError);
  });

  it('anything else stays what it was', () => {
    const bug = new TypeError('undefined is not a function');
    expect(asFileError(bug, '/x')).toBe(bug);
    expect(explainFileError(bug, '/x')).toContain('undefined is not a function');
    expect(explainFileError('odd', '/x')).toBe('cannot write /x: odd');
  });
});

describe('room on the disk', () => {
  it('is known for a folder that is still to be made', () => {
    expect(freeBytes('/tmp/tare-not-made/yet')).toBe(freeBytes('/tmp'));
    expect(freeBytes('/dev/null/x')).toBeNull();
  });

  it('too little is an error that says how much is needed and free; unknown is none', () => {
    expect(() => requireSpace('/r', 3e9, 1_200_000)).toThrow(
      'Not enough room in /r: this needs about 3,000 MB, and 1 MB are free.',
    );
    requireSpace('/r', 3e9, null);
    requireSpace('/r', 3e9, 3e9);
  });
});
