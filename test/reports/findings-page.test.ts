import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findingData, findingModule } from '../../reports/probe/finding-data.ts';
import { findingsPage, introOf } from '../../reports/probe/findings-page.ts';
import { FOUND_BY_PROBES } from '../../src/claims/evidence/findings.ts';
import { probeSample } from './probe-sample.ts';

describe('docs/findings.md', () => {
  const page = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8');

  it('is what its data makes of it', () => {
    expect(findingsPage(FOUND_BY_PROBES, introOf(page))).toBe(page);
  });

  it('names the day of its data', () => {
    expect(page).toContain(`on ${FOUND_BY_PROBES.found_on}`);
  });
});

describe('findings of a probing', () => {
  const document = probeSample();
  const data = findingData(document);

  it('hold every faulty and crashed cell once, most probes first', () => {
    for (const one of data.clients) {
      const cells = document.cells.filter(
        ({ client, verdict }) => client === one.client && (verdict === 'faulty' || verdict === 'crashed'),
      );
      const sizes = one.faults.map(({ probes, more_probes }) => probes.length + more_probes);
      const unnamed = one.unnamed.probes.length + one.unnamed.more_probes;
      expect(sizes.reduce((a, b) => a + b, unnamed)).toBe(cells.length);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(one.counts.faulty + one.counts.crashed).toBe(cells.length);
    }
    expect(data.clients.some(({ faults }) => faults.length > 1)).toBe(true);
  });

  it('leave as a module that says the same', () => {
    const module = findingModule(data);
    const json = module.slice(module.indexOf('= {') + 2, module.lastIndexOf(';'));
    expect(JSON.parse(json)).toEqual(data);
  });

  it('keep the words between title and tables', () => {
    expect(introOf(findingsPage(data, '\nSome words.\n\nMore.\n'))).toBe('Some words.\n\nMore.');
  });
});
