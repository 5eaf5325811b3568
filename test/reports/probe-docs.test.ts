import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import { probesPage } from '../../reports/probe/docs-page.ts';
import { reportAddress } from '../../reports/probe/references.ts';

const page = readFileSync(new URL('../../docs/probes.md', import.meta.url), 'utf8');
const lines = (text: string): string[] => text.split('\n');

describe('docs/probes.md', () => {
  it('says what the probes say', async () => {
    const missing = 'a probe is new or has changed: npm run build && node scripts/write-probes.mjs';
    expect(lines(page), missing).toEqual(lines(probesPage(await loadProbes())));
  });

  it('has every probe in a row of as many cells as its head has', async () => {
    const probes = await loadProbes();
    for (const { id } of probes) {
      const rows = lines(page).filter((line) => line.startsWith(`| \`${id}\` |`));
      expect(rows, id).toHaveLength(1);
      expect(rows[0]!.split(/(?<!\\)\|/), id).toHaveLength(7);
    }
  });

  it('keeps text of a probe from being markup or ending its cell, but for code between backticks', async () => {
    const [probe] = await loadProbes(['plain']);
    const odd = { ...probe!, title: 'a | b <img>\n*c* [d](e) `f|*` ` \\' };
    expect(probesPage([odd])).toContain('**a \\| b \\<img\\> \\*c\\* \\[d\\](e) `f\\|*` \\` \\\\.**');
  });
});

describe('reportAddress', () => {
  it.each([
    ['vllm#3759', 'https://github.com/vllm-project/vllm/issues/3759'],
    ['aiperf PR#1279', 'https://github.com/ai-dynamo/aiperf/pull/1279'],
    ['somebody#1', null],
    ['vllm#3759 and others', null],
    ['autocannon 8.0.0 overallRate', null],
  ])('%s', (report, address) => {
    expect(reportAddress(report)).toBe(address);
  });
});
