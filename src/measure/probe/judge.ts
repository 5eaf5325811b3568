/**
 * Holds what a client says of a probe's requests against what is right. In this order: the right figures; what its stated definitions
 * make of the same bytes (another definition, and it says so); a known fault that explains every figure that is left; a general fault of
 * success; nothing known. Pure.
 */
import type { Definitions } from '../definitions.ts';
import { best, derived, generalKind, isLateOnly, STATABLE } from './explain.ts';
import {
  aspectOf,
  FIGURE_NAMES,
  type FigureName,
  type Figures,
  figuresOf,
  isNear,
  NO_SLACK,
  type Slack,
  toleranceOf,
  unitOf,
} from './figures.ts';
import type { Candidate, Given, JudgedFigure, Verdict } from './judged.ts';
import type { Aspect } from './probe.ts';
import type { Seen } from './seen.ts';
import { kindOfStated } from './stated.ts';

export interface JudgeInput {
  readonly right: readonly Seen[];
  /** By the client's stated definitions, in each way that they can be read; empty: not known. */
  readonly stated: readonly (readonly Seen[])[];
  readonly known: readonly Candidate[];
  readonly got: Given;
  readonly definitions: Definitions;
  /** Figures in which another definition is worth naming; null: all. */
  readonly judges: readonly Aspect[] | null;
  readonly slack?: Slack;
}

export interface Judgement {
  readonly verdict: Verdict | 'not applicable';
  readonly kind: string | null;
  readonly size: {
    readonly figure: FigureName;
    readonly value: number;
    readonly unit: string;
    readonly percent: number | null;
  } | null;
  readonly figures: readonly JudgedFigure[];
  /** With another definition: whether the client states it. */
  readonly stated?: boolean;
}

/** The figures that differ most first, in units of what can be told apart. */
const worst = (figures: readonly JudgedFigure[]): JudgedFigure | null =>
  figures
    .filter(({ got, right }) => got !== null && right !== null)
    .reduce<JudgedFigure | null>((most, one) => {
      const off = (f: JudgedFigure): number => Math.abs(f.got! - f.right!) / f.tolerance.below;
      return most === null || off(one) > off(most) * 1.0001 ? one : most;
    }, null);

function sizeOf(figures: readonly JudgedFigure[]): Judgement['size'] {
  const one = worst(figures);
  if (one === null) return null;
  const value = one.got! - one.right!;
  return {
    figure: one.name,
    value,
    unit: one.unit,
    percent: one.right === 0 || one.unit === 'share' ? null : (100 * value) / one.right!,
  };
}

/** The figure by which a fault is best told: the one that is first of these, else the one that is off by most. */
const LEADS: readonly FigureName[] = [
  'success',
  'tokens',
  'ttft p50',
  'ttft mean',
  'e2e p50',
  'e2e mean',
  'itl mean',
  'itl p50',
];

function leading(figures: readonly JudgedFigure[]): readonly JudgedFigure[] {
  for (const name of LEADS) {
    const one = figures.find(
      (figure) => figure.name === name && figure.right !== null && figure.got !== null,
    );
    if (one !== undefined) return [one];
  }
  return figures;
}

/** Judges one client's figures of one probe. */
export function judge(input: JudgeInput): Judgement {
  const slack = input.slack ?? NO_SLACK;
  const right: Figures = figuresOf(input.right);
  const stated = input.stated.map(figuresOf);
  const first = FIGURE_NAMES.map((name): JudgedFigure => {
    const got = input.got[name] ?? null;
    const should = right[name];
    const ways = stated.map((figures) => figures[name]);
    const other = ways.find((way) => got !== null && isNear(got, way, name, slack)) ?? ways[0] ?? null;
    const base = {
      name,
      unit: unitOf(name),
      right: should,
      stated: other !== null && should !== null && Math.abs(other - should) > 1e-9 ? other : null,
      got,
      tolerance: toleranceOf(name, should, slack),
    };
    if (got === null) return { ...base, verdict: 'not applicable', kind: null };
    if (isNear(got, should, name, slack)) return { ...base, verdict: 'right', kind: null };
    if (isNear(got, other, name, slack))
      return { ...base, verdict: 'other definition', kind: kindOfStated(input.definitions, name) };
    return { ...base, verdict: 'faulty', kind: null };
  });
  const given = first.filter(({ verdict }) => verdict !== 'not applicable');
  if (given.length === 0) return { verdict: 'not applicable', kind: null, size: null, figures: first };
  const faulty = given.filter(({ verdict }) => verdict === 'faulty');
  if (faulty.length === 0) return settled(input, first);
  const primary = faulty.filter(({ name }) => !derived(input.got, name));
  const left = primary.length > 0 ? primary : faulty;
  const found = best(input.known, input.right, left, input.got, slack);
  const rest = found === null ? left : left.filter((one) => !found.explains.includes(one));
  const isDefinition = found?.candidate.definition === true && !STATABLE.has(found.candidate.kind);
  const restKind = rest.length > 0 ? generalKind(rest, input.got) : null;
  const figures = first.map((one): JudgedFigure => {
    if (one.verdict !== 'faulty') return one;
    if (rest.includes(one)) return { ...one, kind: restKind };
    const kind = found?.candidate.kind ?? restKind;
    return isDefinition ? { ...one, verdict: 'other definition', kind } : { ...one, kind };
  });
  if (isDefinition && rest.length === 0) return settled(input, figures);
  // A known fault is the better name; a general one of success says more than what follows from it.
  const kind =
    found !== null && !isDefinition && !rest.some(({ name }) => name === 'success')
      ? found.candidate.kind
      : restKind;
  const off = figures.filter((one) => one.verdict === 'faulty' && one.kind === kind);
  const size = sizeOf(leading(off));
  if (kind !== 'unnamed' || !isLateOnly(off, input.got)) return { verdict: 'faulty', kind, size, figures };
  const late = figures.map((one) =>
    off.includes(one) ? { ...one, verdict: 'undetermined' as const, kind: 'late' } : one,
  );
  return { verdict: 'undetermined', kind: 'late', size, figures: late };
}

/** A stated definition that goes by a name in this probe only. */
const definitionOf = (known: readonly Candidate[], { name, got }: JudgedFigure): string | null =>
  known.find(({ definition, seen }) => definition && isNear(got!, figuresOf(seen)[name], name))?.kind ?? null;

const isJudged = ({ judges }: JudgeInput, figures: readonly JudgedFigure[]): boolean =>
  judges === null || figures.some(({ name }) => (judges as readonly string[]).includes(aspectOf(name)));

/** No fault: right, or another definition where that is the probe's subject. */
function settled(input: JudgeInput, figures: readonly JudgedFigure[]): Judgement {
  const other = figures.filter((one) => one.verdict === 'other definition' && isJudged(input, [one]));
  if (other.length === 0) return { verdict: 'right', kind: null, size: null, figures };
  const shown = leading(other);
  const kind = shown[0]!.kind ?? definitionOf(input.known, shown[0]!);
  const named = figures.map((one) => (other.includes(one) ? { ...one, kind: one.kind ?? kind } : one));
  return {
    verdict: 'other definition',
    kind,
    size: sizeOf(shown),
    figures: named,
    stated: shown.every((one) => one.stated !== null || one.right === null),
  };
}
