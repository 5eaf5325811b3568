// Writes the tables of docs/claims.md from the built code: run it after `npm run build` when a check or a point of the checklist has changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withClaimTables } from '../dist/reports/claim/docs-tables.js';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'claims.md');
writeFileSync(file, withClaimTables(readFileSync(file, 'utf8')));
