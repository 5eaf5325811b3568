// Writes the table of docs/warnings.md from the built code: run it after `npm run build` when a warning has changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { warningTable } from '../dist/src/audit/warnings.js';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'warnings.md');
const page = readFileSync(file, 'utf8');
const lines = page.split('\n');
const first = lines.findIndex((line) => line.startsWith('| code'));
const after = lines.findIndex((line, i) => i > first && !line.startsWith('|'));
lines.splice(first, after - first, warningTable());
writeFileSync(file, lines.join('\n'));
