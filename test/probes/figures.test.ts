/** The figures that were reported in public, of the probes that show them: what is right, and what some known fault makes of it. */
import { describe, expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import { type Figures, figuresOf } from '../../src/measure/probe/figures.ts';
import type { Seen } from '../../src/measure/probe/seen.ts';
import { isScripted } from './asked.ts';

type Row = Readonly<Partial<Record<keyof Figures, number>>>;

/** Probe, right figures, figures with the fault: ms, tokens, shares; to two digits. */
const TABLE: readonly (readonly [id: string, right: Row, fault: Row])[] = [
  [
    'role-first',
    { 'ttft mean': 200, 'itl mean': 20, 'tpot mean': 20 },
    { 'ttft mean': 5, 'itl mean': 23.5, 'tpot mean': 23.98 },
  ],
  ['reasoning-first', { 'ttft mean': 200, 'tpot mean': 20 }, { 'ttft mean': 800, 'tpot mean': 7.76 }],
  ['two-per-event', { 'tpot mean': 20, tokens: 50 }, { 'itl p50': 40 }],
  ['bundled-first', { 'ttft mean': 380, 'tpot mean': 20 }, { 'tpot mean': 16.33 }],
  ['usage-late', { 'e2e mean': 1180, 'tpot mean': 20 }, { 'e2e mean': 1480, 'tpot mean': 26.12 }],
  ['recount', { tokens: 50, 'itl mean': 20 }, { tokens: 100, 'itl mean': 9.9, 'itl p50': 0 }],
  ['plain', { 'itl mean': 20, 'ntpot mean': 23.6 }, { 'itl mean': 23.6, 'ttft mean': 200 }],
  ['slow-first', { 'ttft mean': 2000, 'itl mean': 20 }, { 'itl mean': 59.6 }],
  ['error-in-stream', { success: 0.5, 'e2e mean': 1180 }, { success: 1, 'e2e mean': 780 }],
  ['split-utf8', { success: 1, 'ttft mean': 200, 'itl mean': 20 }, { 'itl mean': 9.95 }],
  ['comment', { 'ttft mean': 200, 'itl mean': 20 }, { 'ttft mean': 50, 'itl mean': 11.19 }],
  ['eos', { 'e2e mean': 580, 'tpot mean': 20 }, {}],
  ['header-flush', { 'ttft mean': 200 }, { 'ttft mean': 5, 'tpot mean': 23.98 }],
  ['after-done', { 'e2e mean': 1180 }, { 'e2e mean': 1380, 'tpot mean': 24.08 }],
];

const probes = new Map((await loadProbes()).filter(isScripted).map((probe) => [probe.id, probe]));

const over = (sees: (place: number) => Seen): Figures =>
  figuresOf(Array.from({ length: 10 }, (_, place) => sees(place)));

const holds = (figures: Figures, row: Row): boolean =>
  Object.entries(row).every(([name, value]) => {
    const figure = figures[name as keyof Figures];
    return figure !== null && Math.abs(figure - value) <= 0.005 + 1e-9;
  });

describe.each(TABLE)('%s', (id, right, fault) => {
  const probe = probes.get(id);

  it.skipIf(probe === undefined)('has the right figures', () => {
    expect(over(probe!.sees)).toMatchObject(
      Object.fromEntries(Object.entries(right).map(([name, value]) => [name, expect.closeTo(value, 2)])),
    );
  });

  it.skipIf(probe === undefined || Object.keys(fault).length === 0)(
    'knows the fault that was reported',
    () => {
      const made = probe!.known.map(({ kind, sees }) => ({ kind, figures: over(sees) }));
      expect(
        made.filter(({ figures }) => holds(figures, fault)),
        JSON.stringify(made),
      ).not.toEqual([]);
    },
  );
});
