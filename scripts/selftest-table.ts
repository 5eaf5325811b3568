/**
 * The confusion table of docs/selftest.md, as Markdown, from one or more files of `tare selftest --json`:
 * `node dist/scripts/selftest-table.js FILE…`. Several files are taken as one selftest of as many repetitions.
 */
import { readFileSync } from 'node:fs';
import { SELFTEST_HEAD, selftestRows, selftestSummary } from '../reports/selftest-table.ts';
import { CONTROLS } from '../src/audit/selftest/controls.ts';
import type { SelftestDocument } from '../src/audit/selftest/document.ts';
import { verdictOf } from '../src/audit/selftest/selftest.ts';

const documents = process.argv
  .slice(2)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as SelftestDocument);
const [first] = documents;
if (first === undefined) throw new Error('give files of tare selftest --json');
const controls = documents.flatMap((document) => document.controls);
const all: SelftestDocument = { ...first, controls, ...verdictOf(controls, controls.length) };
const rows = [
  [...SELFTEST_HEAD],
  SELFTEST_HEAD.map(() => '---'),
  ...selftestRows(
    all,
    CONTROLS.map(({ name }) => name),
  ),
];
const seconds = documents.map(({ elapsed_s }) => elapsed_s.toFixed(0)).join(', ');
const again = controls.filter(({ tries }) => tries > 1).length;
process.stdout.write(
  `${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n${selftestSummary(all)}\n${controls.length} trials kept, ${again} of them after a disturbed one; ${seconds} s\n`,
);
