/** The files of the project and what they import from each other, read from their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** File (path from the root, forward slashes) → the specifiers that it imports, types and dynamic imports included. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** Comments are blanked first; a string that holds the beginning of one would hide what follows it on its line. */
export function importsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(SPECIFIER)].map((match) => match[2]!);
}

/** All of .ts and .mjs below the folders that exist. */
export function readImports(root: string, folders: readonly string[]): Imports {
  const imports = new Map<string, string[]>();
  for (const folder of folders) {
    let entries: string[];
    try {
      entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    } catch {
      continue;
    }
    for (const entry of entries.filter(
      (path) => /\.(ts|mjs)$/.test(path) && !path.includes('node_modules'),
    )) {
      const file = join(folder, entry);
      imports.set(file, importsIn(readFileSync(join(root, file), 'utf8')));
    }
  }
  return imports;
}

/** Where a relative specifier leads, from the root; null for a package. */
export function resolveImport(file: string, specifier: string): string | null {
  return specifier.startsWith('.') ? relative('.', join(dirname(file), specifier)) : null;
}

/** A graph's circles, each as the way round; one for each that a depth-first search closes. */
export function circles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      found.push([...path.slice(at), node]);
      return;
    }
    if (finished.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return found;
}
