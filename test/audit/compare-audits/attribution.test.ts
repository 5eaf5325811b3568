import { describe, expect, it } from 'vitest';
import type { AuditDocument } from '../../../src/audit/document.ts';
import { sampleDocument } from '../../reports/sample.ts';
import { again, compare } from './pair.ts';

const base = sampleDocument({ clients: ['asyncio'], rates: [100] });

const host = (document: AuditDocument, change: Partial<AuditDocument['host']>): AuditDocument => ({
  ...document,
  host: { ...document.host, ...change },
});
const version = (document: AuditDocument, text: string): AuditDocument => ({
  ...document,
  clients: document.clients.map((entry) => ({
    ...entry,
    found: { ...entry.found, version: text } as typeof entry.found,
  })),
});
const plan = (document: AuditDocument, change: Partial<AuditDocument['plan']>): AuditDocument => ({
  ...document,
  plan: { ...document.plan, ...change },
});

const of = (b: AuditDocument) => compare(base, again(b)).clients[0]!.attribution;

describe('what a difference is put down to', () => {
  it.each([
    ['nothing recorded', base, /Nothing that is recorded differs/],
    ['client', version(base, '2.0'), /the client's version \(1\.0 .* → 2\.0\)/],
    [
      'machine',
      host(base, { cpu_model: 'Other' }),
      /two machines: .* of the machine \(CPU\), not of the client/,
    ],
    ['machine', plan(base, { client_cpus: null }), /the machine \(cores of the client\)/],
    ['harness', { ...base, tare_version: '0.2.0' }, /what measured \(Tare\)/],
    ['settings', plan(base, { workers: 4 }), /the settings \(workers\)/],
    [
      'several together',
      version(host(base, { kernel: '6.9' }), '2.0'),
      /^Two machines: .* together, and this comparison cannot tell them apart/,
    ],
    [
      'several together',
      { ...version(base, '2.0'), tare_version: '0.2.0' },
      /^The difference is of the client's version .* and what measured \(Tare\) together/,
    ],
  ] as const)('%s', (to, b, sentence) => {
    expect(of(b).to).toBe(to);
    expect(of(b).sentence).toMatch(sentence);
  });

  it('is not moved by how often, at which other rates and beside whom a client ran', () => {
    expect(of(plan(base, { repetitions: 9, rates_rps: [100, 999], clients: ['asyncio', 'k6'] })).to).toBe(
      'nothing recorded',
    );
  });

  it('is the client where only what is known of it differs', () => {
    const facts = {
      ...base,
      clients: base.clients.map((entry) => ({
        ...entry,
        facts: { ...entry.facts, architecture: 'two processes' },
      })),
    };
    expect(of(facts)).toMatchObject({ to: 'client' });
  });
});

describe('the table of conditions', () => {
  it('has what differs with both values, and what every audit measures anew as such', () => {
    const other = host(
      { ...base, warnings: [{ code: 'steal', evidence: '', remedy: '' }] },
      { kernel: '6.9', load_1m: 2 },
    );
    const rows = compare(base, again(other)).conditions;
    expect(rows.filter(({ state }) => state === 'differs').map(({ what, a, b }) => [what, a, b])).toEqual([
      ['kernel', '6.1.0-28-amd64', '6.9'],
      ['warnings', 'shared-core', 'steal'],
    ]);
    expect(rows.find(({ what }) => what === 'load before the start')).toEqual({
      group: 'state',
      what: 'load before the start',
      a: '0.4',
      b: '2',
      state: 'measured',
    });
  });

  it('says that a side was interrupted', () => {
    const cut = again({ ...base, state: 'interrupted', finished_at: null });
    expect(
      compare(base, cut).conditions.find(({ what }) => what === 'whether it ran to its end'),
    ).toMatchObject({
      a: 'yes',
      b: 'no, interrupted',
      state: 'differs',
    });
  });

  it('reads documents of before, that lack what came later', () => {
    const old = JSON.parse(JSON.stringify(base)) as AuditDocument;
    for (const trial of old.trials as unknown as Record<string, unknown>[]) {
      delete trial.decomposition;
      delete (trial.truth as Record<string, unknown>).arrivals;
      delete (trial.observed as Record<string, unknown>).architecture;
    }
    expect(compare(old, again(base)).counts.unchanged).toBeGreaterThan(0);
  });
});
