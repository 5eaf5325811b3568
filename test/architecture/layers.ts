/** The project's layers, low to high. A part may import those of its own layer and of lower ones; parts never import in a circle. */
import { circles, type Imports, resolveImport } from './import-graph.ts';

export const LAYERS: readonly (readonly string[])[] = [
  ['src/measure'],
  ['src/system', 'probes'],
  ['src/truth', 'simulators', 'src/load', 'adapters'],
  ['src/audit', 'src/claims', 'src/fleet', 'reports'],
  ['src/cli'],
];

/** The part that a file is in; null for a file in none. */
export const partOf = (file: string): string | null =>
  LAYERS.flat().find((part) => file.startsWith(`${part}/`)) ?? null;

const layerOf = (part: string): number => LAYERS.findIndex((layer) => layer.includes(part));

/** Every breach of the rules, in words. */
export function violations(imports: Imports): string[] {
  const breaches: string[] = [];
  const files = new Map<string, Set<string>>();
  const parts = new Map<string, Set<string>>();
  for (const [file, specifiers] of imports) {
    const part = partOf(file);
    if (part === null) {
      breaches.push(`${file} is in no part of the project`);
      continue;
    }
    const targets = new Set<string>();
    files.set(file, targets);
    for (const specifier of specifiers) {
      if (part === 'src/measure' && specifier.startsWith('node:')) {
        breaches.push(`${file} imports ${specifier}: src/measure computes and knows no machine`);
      }
      const target = resolveImport(file, specifier);
      if (target === null) continue;
      const other = partOf(target);
      if (other === null) {
        breaches.push(`${file} imports ${target}, which is in no part of the project`);
        continue;
      }
      targets.add(target);
      if (other === part) continue;
      if (layerOf(other) > layerOf(part)) breaches.push(`${file} imports upward: ${target}`);
      if (!parts.has(part)) parts.set(part, new Set());
      parts.get(part)!.add(other);
    }
  }
  for (const circle of circles(files)) breaches.push(`files in a circle: ${circle.join(' → ')}`);
  for (const circle of circles(parts)) breaches.push(`parts in a circle: ${circle.join(' → ')}`);
  return breaches;
}
