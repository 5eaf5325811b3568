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
      /^Two machines: .* of the machine \(CPU\)\. The client's version is the same .*from how this client behaves on it/,
    ],
    [
      'settings',
      plan(base, { client_cpus: null }),
      /settings and software of the machine \(cores of the client\)/,
    ],
    ['harness', { ...base, tare_version: '0.2.0' }, /what measured \(Tare\)/],
    ['settings', plan(base, { workers: 4 }), /the settings \(workers\)/],
    [
      'several together',
      version(host(base, { cpu_model: 'Other' }), '2.0'),
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

  it.each([
    ['kernel', host(base, { kernel: '6.9' })],
    ['system', host(base, { os: 'Fedora 43' })],
    ['Python', host(base, { python: '3.14' })],
    ['glibc', host(base, { glibc: '2.99' })],
    ['open-files limit', host(base, { open_files_limit: 77 })],
    ['pinning', plan(base, { pinning_note: 'elsewhere' })],
  ])('%s is no other machine', (what, b) => {
    expect(of(b).to).toBe('settings');
    expect(of(b).sentence).toContain(`settings and software of the machine (${what})`);
    expect(of(b).sentence).not.toMatch(/Two machines|not of the client/);
  });

  it('is made from every row that differs: none is passed over', () => {
    const circumstances = plan(base, {
      repetitions: 9,
      rates_rps: [100, 999],
      clients: ['asyncio', 'k6'],
    });
    expect(of(circumstances)).toMatchObject({ to: 'circumstances' });
    expect(of(circumstances).sentence).toMatch(
      /what differs is rates, repetitions and clients in the audit\./,
    );
    expect(of(version(circumstances, '2.0')).sentence).toMatch(/Not the same besides: rates, repetitions/);
    expect(of(plan(base, { target: { ...base.plan.target, model: 'other' } }))).toMatchObject({
      to: 'workload',
    });
    for (const b of [
      { ...base, warnings: [] },
      { ...base, state: 'interrupted' as const },
    ])
      expect(of(b).sentence).not.toMatch(/Nothing that is recorded/);
  });

  it('does not take two memories that the kernel counts a little otherwise for two machines', () => {
    const mb = (memory_mb: number) => host(base, { memory_mb });
    const to = (x: number, y: number) => compare(mb(x), again(mb(y))).clients[0]!.attribution.to;
    expect(to(24_191, 24_193)).toBe('nothing recorded');
    expect(to(24_000, 24_470)).toBe('nothing recorded');
    expect(to(24_000, 24_600)).toBe('machine');
  });

  it('does not call the same what neither side recorded', () => {
    const mute = host(base, { cpu_governor: null });
    const comparison = compare(mute, again(mute));
    expect(comparison.conditions.find(({ what }) => what === 'CPU governor')!.state).toBe('unknown');
    expect(comparison.clients[0]!.attribution.sentence).toMatch(/Not recorded on both sides: CPU governor/);
  });

  it('says that nobody knows what stands behind an address', () => {
    const external = plan(base, {
      target: { ...base.plan.target, kind: 'external', url: 'http://10.0.0.1', version: '1' },
    });
    const sentence = compare(external, again(external)).clients[0]!.attribution.sentence;
    expect(sentence).toMatch(/whether the same stood behind its address on both days is not recorded/);
    expect(of(base).sentence).not.toMatch(/behind its address/);
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
