// Writes docs/probes.md from the built probes: run it after `npm run build` when a probe is new or has changed.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadProbes } from '../dist/probes/catalogue.js';
import { probesPage } from '../dist/reports/probe/docs-page.js';

writeFileSync(fileURLToPath(new URL('../docs/probes.md', import.meta.url)), probesPage(await loadProbes()));
