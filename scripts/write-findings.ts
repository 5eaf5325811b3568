/**
 * docs/findings.md and its data (src/claims/evidence/findings.ts) from the result of `tare probe`; what stands in the page between its title
 * and its first table is kept: `node dist/scripts/write-findings.js results/probe-…/probe.json docs/findings.md src/claims/evidence/findings.ts`,
 * then `npx biome check --write` on the latter.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findingData, findingModule } from '../reports/probe/finding-data.ts';
import { findingsPage, introOf } from '../reports/probe/findings-page.ts';
import type { ProbeDocument } from '../src/audit/probe/document.ts';

const [file, page, module] = process.argv.slice(2);
if (file === undefined || page === undefined || module === undefined)
  throw new Error('give a probe.json, the page and the module to write');
const data = findingData(JSON.parse(readFileSync(file, 'utf8')) as ProbeDocument);
writeFileSync(page, findingsPage(data, introOf(readFileSync(page, 'utf8'))));
writeFileSync(module, findingModule(data));
