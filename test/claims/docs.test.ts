import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withClaimTables } from '../../reports/claim/docs-tables.ts';
import { CLAIM_METRICS } from '../../src/claims/file/figure-key.ts';
import { claimFileSchema } from '../../src/claims/file/schema.ts';
import { CLAIM_TEMPLATE } from '../../src/claims/file/template.ts';
import { asset } from '../../src/system/package-root.ts';

const page = readFileSync(asset('docs/claims.md'), 'utf8');

/** Every key that a file may have, at any depth. */
function keysOf(schema: unknown): string[] {
  const { def } = schema as { def: { shape?: object; innerType?: unknown; element?: unknown } };
  const own = Object.entries(def.shape ?? {}).flatMap(([key, one]) => [key, ...keysOf(one)]);
  return [...own, ...[def.innerType, def.element].flatMap((one) => (one === undefined ? [] : keysOf(one)))];
}

describe('docs/claims.md', () => {
  it('has the checklist and the checks as they are; if not, run: node scripts/write-claims.mjs', () => {
    expect(withClaimTables(page)).toBe(page);
    expect(page).toMatch(/<!-- checks -->\n\n- `littles-law`: /);
  });

  it('and the template have every key of a file, and every figure', () => {
    const keys = [...new Set(keysOf(claimFileSchema)), ...CLAIM_METRICS];
    expect(keys.length).toBeGreaterThan(50);
    expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(CLAIM_TEMPLATE))).toEqual([]);
  });
});
