import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseSameFile } from '../../src/cli/load-paths.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-paths-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('outputs of a run', () => {
  it('are refused where two are one file, there or not, by another spelling, a link or a folder of two names', () => {
    const a = join(dir, 'a');
    const pairs: [string, string][] = [
      [a, a],
      [a, relative(process.cwd(), a)],
    ];
    mkdirSync(join(dir, 'folder'));
    symlinkSync(join(dir, 'folder'), join(dir, 'same'));
    pairs.push([join(dir, 'folder', 'x'), join(dir, 'same', 'x')]);
    writeFileSync(join(dir, 'b'), '');
    symlinkSync(join(dir, 'b'), join(dir, 'c'));
    linkSync(join(dir, 'b'), join(dir, 'd'));
    pairs.push([join(dir, 'b'), join(dir, 'c')], [join(dir, 'c'), join(dir, 'd')]);
    for (const [one, other] of pairs)
      expect(() =>
        refuseSameFile([
          ['--csv', one],
          ['--hlog', other],
        ]),
      ).toThrow(/--csv and --hlog are one file/);
  });

  it('may be several files, none, and several to /dev/null', () => {
    expect(() =>
      refuseSameFile([
        ['--csv', join(dir, 'a')],
        ['--hlog', join(dir, 'b')],
        ['--prom', undefined],
        ['--html', undefined],
        ['--out', '/dev/null'],
        ['--records', '/dev/null'],
      ]),
    ).not.toThrow();
  });

  it('do not write over what the run reads', () => {
    const key = join(dir, 'key');
    writeFileSync(key, 'sk');
    expect(() => refuseSameFile([['--out', key]], [['--api-key-file', key]])).toThrow(/--api-key-file reads/);
    expect(() =>
      refuseSameFile(
        [],
        [
          ['--a', key],
          ['--b', key],
        ],
      ),
    ).not.toThrow();
  });
});
