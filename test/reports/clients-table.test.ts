import { describe, expect, it } from 'vitest';
import { allAdapters } from '../../adapters/registry.ts';
import { clientsTable, withTable } from '../../reports/clients-table.ts';

describe('the documentation of clients', () => {
  it('keeps a cell from ending its table', () => {
    const odd = { ...allAdapters[0]!, name: 'a|b\nc' };
    expect(clientsTable([odd]).split('\n')).toHaveLength(3);
    expect(clientsTable([odd])).toContain('a\\|b c');
  });
  it('throws where the page has no place for the table', () => {
    expect(() => withTable('no marks', 'table')).toThrow(/has no <!-- clients/);
  });
});
