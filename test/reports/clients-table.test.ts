import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allAdapters } from '../../adapters/registry.ts';
import { clientsTable, factsPage, withTable } from '../../reports/clients-table.ts';

const doc = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('the documentation of clients', () => {
  it('docs/clients.md has the table that the facts make (else: npm run build && node scripts/write-clients.mjs)', () => {
    const page = doc('clients.md');
    expect(withTable(page, clientsTable(allAdapters))).toBe(page);
  });
  it('docs/client-facts.md has the facts', () => {
    expect(factsPage(allAdapters)).toBe(doc('client-facts.md'));
  });
  it('keeps a cell from ending its table', () => {
    const odd = { ...allAdapters[0]!, name: 'a|b\nc' };
    expect(clientsTable([odd]).split('\n')).toHaveLength(3);
    expect(clientsTable([odd])).toContain('a\\|b c');
  });
  it('throws where the page has no place for the table', () => {
    expect(() => withTable('no marks', 'table')).toThrow(/has no <!-- clients/);
  });
});
