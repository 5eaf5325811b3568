import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/system/package-root.ts';
import { circles, importsIn, readImports, resolveImport } from './import-graph.ts';
import { LAYERS, partOf, violations } from './layers.ts';

const FOLDERS = ['src', 'simulators', 'adapters', 'probes', 'reports'];

describe('the project', () => {
  const imports = readImports(packageRoot, FOLDERS);

  it('imports downward only, and never in a circle', () => {
    expect(violations(imports)).toEqual([]);
  });

  it('is read: its parts are found, and what they import is there', () => {
    const parts = new Set([...imports.keys()].map(partOf));
    for (const part of ['src/measure', 'src/system', 'adapters', 'src/audit', 'reports', 'src/cli']) {
      expect(parts).toContain(part);
    }
    const missing = [...imports].flatMap(([file, specifiers]) =>
      specifiers
        .map((specifier) => resolveImport(file, specifier))
        .filter((target) => target !== null && !existsSync(join(packageRoot, target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('has no part below src that the layers do not name', () => {
    const folders = readdirSync(join(packageRoot, 'src')).map((folder) => `src/${folder}`);
    expect(folders.filter((folder) => !LAYERS.flat().includes(folder))).toEqual([]);
  });

  it('prints from src/cli only', () => {
    const prints = [...imports.keys()].filter(
      (file) =>
        file.endsWith('.ts') &&
        partOf(file) !== 'src/cli' &&
        /^(?!\s*(\*|\/\/)).*\bconsole\.\w+\(/m.test(readFileSync(join(packageRoot, file), 'utf8')),
    );
    expect(prints).toEqual([]);
  });
});

describe('the check itself', () => {
  it('sees every kind of import, and none in comments', () => {
    const source = `
      import a from './a.ts';
      import type { B } from "./b.ts";
      import {
        c,
      } from './c.ts';
      import './d.ts';
      export * from './e.ts';
      export type { F } from './f.ts';
      const g = await import('./g.ts');
      // import x from './x.ts';
      /** Like import y from './y.ts'. */
    `;
    expect(importsIn(source)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`));
  });

  it.each([
    ['an upward import', { 'src/measure/a.ts': ['../system/b.ts'] }, 'imports upward'],
    ['a helper of the tests', { 'src/audit/a.ts': ['../../test/b.ts'] }, 'in no part'],
    ['a machine in src/measure', { 'src/measure/a.ts': ['node:fs'] }, 'knows no machine'],
    ['files in a circle', { 'src/cli/a.ts': ['./b.ts'], 'src/cli/b.ts': ['./a.ts'] }, 'files in a circle'],
    [
      'reports and audit in a circle, though no two files are',
      {
        'reports/a.ts': ['../src/audit/document.ts'],
        'src/audit/b.ts': ['../../reports/c.ts'],
        'src/audit/document.ts': [],
        'reports/c.ts': [],
      },
      'parts in a circle: reports → src/audit → reports',
    ],
  ])('finds %s', (_, files, words) => {
    const breaches = violations(new Map(Object.entries(files as Record<string, string[]>)));
    expect(breaches.join('\n')).toContain(words);
  });

  it('finds a circle that is entered from outside, once', () => {
    const graph = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b', 'd'])],
      ['d', new Set<string>()],
    ]);
    expect(circles(graph)).toEqual([['b', 'c', 'b']]);
  });
});
