// Writes the table in docs/clients.md and docs/client-facts.md from the built adapters: run it after `npm run build` when facts have changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allAdapters } from '../dist/adapters/registry.js';
import { clientsTable, factsPage, withTable } from '../dist/reports/clients-table.js';

const doc = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
writeFileSync(
  doc('clients.md'),
  withTable(readFileSync(doc('clients.md'), 'utf8'), clientsTable(allAdapters)),
);
writeFileSync(doc('client-facts.md'), factsPage(allAdapters));
