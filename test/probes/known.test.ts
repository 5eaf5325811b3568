/** For every known fault of every probe: a client that has it is told from a right one, and called by its name. */
import { describe, expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import { STANDARD } from '../../src/measure/definitions.ts';
import { FIGURE_NAMES, figuresOf, isNear } from '../../src/measure/probe/figures.ts';
import { judge } from '../../src/measure/probe/judge.ts';
import type { Known } from '../../src/measure/probe/probe.ts';
import type { Seen } from '../../src/measure/probe/seen.ts';
import { isScripted, type NamedScript } from './asked.ts';

const probes = (await loadProbes()).filter(isScripted);
const faults = probes.flatMap((probe) =>
  probe.known.map((known) => [probe.id, known.kind, probe, known] as const),
);

const all = (probe: NamedScript, sees: (place: number) => Seen): Seen[] =>
  Array.from({ length: probe.requests ?? 10 }, (_, place) => sees(place));

const judged = (probe: NamedScript, got: readonly Seen[]) =>
  judge({
    right: all(probe, probe.sees),
    stated: [],
    known: probe.known.map(({ kind, definition, sees }) => ({
      kind,
      definition: definition === true,
      seen: all(probe, sees),
    })),
    got: figuresOf(got),
    definitions: STANDARD,
    judges: probe.judges ?? null,
  });

/** Figures of a fault that can be told from the right ones. */
function told(probe: NamedScript, known: Known): string[] {
  const right = figuresOf(all(probe, probe.sees));
  const wrong = figuresOf(all(probe, known.sees));
  return FIGURE_NAMES.filter((name) => {
    const [a, b] = [right[name], wrong[name]];
    if (a === null || b === null) return a !== b;
    return !isNear(b, a, name);
  });
}

it.each(probes.map((probe) => [probe.id, probe] as const))(
  '%s: what is right is judged right',
  (_, probe) => {
    expect(judged(probe, all(probe, probe.sees)).verdict).toBe('right');
  },
);

describe.each(faults)('%s: %s', (_, kind, probe, known) => {
  it('differs from right by more than a machine adds', () => {
    expect(told(probe, known), 'figures that tell it').not.toEqual([]);
  });

  it('is found, by its name', () => {
    const { verdict, kind: found } = judged(probe, all(probe, known.sees));
    expect([verdict, found]).toEqual([expect.stringMatching(/^(faulty|other definition)$/), kind]);
  });
});
