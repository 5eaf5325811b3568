/**
 * docs/findings.md from the result of `tare probe`, with what stands in the page between its title and its first table kept:
 * `node dist/scripts/write-findings.js results/probe-…/probe.json docs/findings.md`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findingsPage } from '../reports/probe/findings-page.ts';
import type { ProbeDocument } from '../src/audit/probe/document.ts';

const [file, page] = process.argv.slice(2);
if (file === undefined || page === undefined) throw new Error('give a probe.json and the page to write');
const old = readFileSync(page, 'utf8').replace(/^# Findings\n/, '');
const intro = old.includes('\n| client |') ? old.slice(0, old.indexOf('\n| client |')) : old;
writeFileSync(page, findingsPage(JSON.parse(readFileSync(file, 'utf8')) as ProbeDocument, intro));
