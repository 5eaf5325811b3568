/** docs/your-own-client.md says all that a client file may hold, and its example is the one that is tested. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS, PLACEHOLDERS } from '../../adapters/custom/placeholders.ts';
import { clientSchema } from '../../adapters/custom/schema.ts';
import { INSTANT_UNITS, RATE_UNITS } from '../../adapters/custom/units.ts';
import * as words from '../../adapters/custom/words.ts';
import { packageRoot } from '../../src/system/package-root.ts';

const page = readFileSync(join(packageRoot, 'docs/your-own-client.md'), 'utf8');
const example = readFileSync(join(packageRoot, 'docs/examples/bench.yaml'), 'utf8');

/** Every key of every map in a zod schema. */
function keysOf(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema as {
    def?: Record<string, unknown> & { shape?: Record<string, unknown>; options?: unknown[] };
  };
  if (def === undefined) return [];
  const inside = [
    def.innerType,
    def.in,
    def.element,
    def.valueType,
    ...(def.options ?? []),
    ...Object.values(def.shape ?? {}),
  ];
  return [...Object.keys(def.shape ?? {}), ...inside.flatMap((one) => keysOf(one, seen))];
}

describe('docs/your-own-client.md', () => {
  it('has every key', () => {
    const keys = new Set(keysOf(clientSchema));
    expect(keys.size).toBeGreaterThan(60);
    expect([...keys].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });

  it('has every placeholder, format, unit and word', () => {
    expect(Object.keys(PLACEHOLDERS).filter((name) => !page.includes(`\`{${name}}\``))).toEqual([]);
    expect(Object.keys(FORMATS).filter((format) => !page.includes(`\`{name:${format}}\``))).toEqual([]);
    const units = [...INSTANT_UNITS, ...Object.keys(RATE_UNITS)];
    expect(units.filter((unit) => !page.includes(`\`${unit}\``))).toEqual([]);
    const { ABOUT, wordsOf: _, ...tables } = words;
    expect(
      Object.values(tables)
        .flatMap((table) => Object.keys(table))
        .filter((word) => !page.includes(`\`${word}\``)),
    ).toEqual([]);
    expect(Object.keys(ABOUT).filter((aspect) => !page.includes(aspect))).toEqual([]);
  });

  it('shows its example as it is', () => {
    const shown = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1]!).join('\n');
    const plain = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
    expect(plain(shown)).toEqual(plain(example));
  });
});
