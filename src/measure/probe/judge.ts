/**
 * Holds what a client says of a probe's requests against what is right. In this order: the right figures; what its stated definitions
 * make of the same bytes (another definition, and it says so); a known fault that explains every figure that is left; a general fault of
 * success; nothing known. Pure.
 */
import type { Definitions } from '../definitions.ts';
import {
  aspectOf,
  FIGURE_NAMES,
  type FigureName,
  type Figures,
  figuresOf,
  toleranceOf,
  unitOf,
} from './figures.ts';
import type { Aspect } from './probe.ts';
import type { Seen } from './seen.ts';
import { kindOfStated } from './stated.ts';

export type Given = Readonly<Partial<Record<FigureName, number | null>>>;

export interface Candidate {
  readonly kind: string;
  readonly definition: boolean;
  readonly seen: readonly Seen[];
}

export interface JudgeInput {
  readonly right: readonly Seen[];
  /** By the client's stated definitions; null: not known. */
  readonly stated: readonly Seen[] | null;
  readonly known: readonly Candidate[];
  readonly got: Given;
  readonly definitions: Definitions;
  /** Figures in which another definition is worth naming; null: all. */
  readonly judges: readonly Aspect[] | null;
}

type Verdict = 'right' | 'other definition' | 'faulty' | 'undetermined';

export interface JudgedFigure {
  readonly name: FigureName;
  readonly unit: string;
  readonly right: number | null;
  readonly stated: number | null;
  readonly got: number | null;
  readonly tolerance: number;
  readonly verdict: Verdict | 'not applicable';
  readonly kind: string | null;
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
}

const near = (got: number, wanted: number | null, name: FigureName): boolean =>
  wanted !== null && Math.abs(got - wanted) <= toleranceOf(name, wanted);

/** TPOT and NTPOT that follow from the client's own E2E, TTFT and tokens are no fault of their own. */
function derived(got: Given, name: FigureName): boolean {
  const [metric, sum] = name.split(' ') as [string, 'mean' | 'p50'];
  const value = got[name]!;
  const e2e = got[`e2e ${sum}`] ?? null;
  const ttft = got[`ttft ${sum}`] ?? null;
  const tokens = got.tokens ?? null;
  if (e2e === null || tokens === null || tokens < 1) return false;
  if (metric === 'ntpot') return near(value, e2e / tokens, name);
  return metric === 'tpot' && ttft !== null && tokens > 1 && near(value, (e2e - ttft) / (tokens - 1), name);
}

/** Fields of a definition that a client states: printing another one than it states is a fault, whatever can be said for it. */
const STATABLE = new Set([
  'headers-as-token',
  'first-chunk-as-token',
  'gaps-between-chunks',
  'end-at-response',
  'requested-as-tokens',
  'chunks-as-tokens',
]);

/** The figures that differ most first, in units of what can be told apart. */
const worst = (figures: readonly JudgedFigure[]): JudgedFigure | null =>
  figures
    .filter(({ got, right }) => got !== null && right !== null)
    .reduce<JudgedFigure | null>((most, one) => {
      const off = (f: JudgedFigure): number => Math.abs(f.got! - f.right!) / f.tolerance;
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

/** What is wrong with the counts of success, where nothing more exact is known. */
function generalKind(off: readonly JudgedFigure[], got: Given): string {
  const success = off.find(({ name }) => name === 'success');
  if (success !== undefined && success.got !== null && success.right !== null) {
    if (success.got > success.right) return 'error-as-success';
    const failures = got.failures ?? null;
    return failures !== null && failures + success.got < 1 - 1e-6 ? 'requests-lost' : 'sound-request-fails';
  }
  if (off.some(({ name }) => name === 'failures')) return 'failures-uncounted';
  if (off.length > 0 && off.every(({ right, got: value }) => right === null && value === 0))
    return 'zero-for-none';
  if (off.some(({ right }) => right === null)) return 'figure-of-nothing';
  return 'unnamed';
}

/** How many of the figures that are left a candidate explains: all, or none where it would not change any of them. */
function explained(candidate: Candidate, left: readonly JudgedFigure[]): readonly JudgedFigure[] {
  const figures = figuresOf(candidate.seen);
  return left.filter(
    ({ name, got, right }) =>
      near(got!, figures[name], name) && !near(figures[name] ?? Number.NaN, right, name),
  );
}

/** How many of the figures that the client gives are a candidate's, right ones and derived ones too. */
const matches = (candidate: Candidate, got: Given): number => {
  const figures = figuresOf(candidate.seen);
  return FIGURE_NAMES.filter((name) => {
    const value = got[name] ?? null;
    return value !== null && near(value, figures[name], name);
  }).length;
};

/** The candidate that explains most figures; of equals the one that fits all that the client gives best, and then the first. */
function best(
  known: readonly Candidate[],
  left: readonly JudgedFigure[],
  got: Given,
): { candidate: Candidate; explains: readonly JudgedFigure[] } | null {
  return known
    .map((candidate) => ({ candidate, explains: explained(candidate, left), fits: matches(candidate, got) }))
    .filter(({ explains }) => explains.length > 0)
    .reduce<{ candidate: Candidate; explains: readonly JudgedFigure[]; fits: number } | null>(
      (most, one) =>
        most === null ||
        one.explains.length > most.explains.length ||
        (one.explains.length === most.explains.length && one.fits > most.fits)
          ? one
          : most,
      null,
    );
}

/** Judges one client's figures of one probe. */
export function judge(input: JudgeInput): Judgement {
  const right: Figures = figuresOf(input.right);
  const stated = input.stated === null ? null : figuresOf(input.stated);
  const first = FIGURE_NAMES.map((name): JudgedFigure => {
    const got = input.got[name] ?? null;
    const should = right[name];
    const other = stated?.[name] ?? null;
    const base = {
      name,
      unit: unitOf(name),
      right: should,
      stated: other !== null && should !== null && Math.abs(other - should) > 1e-9 ? other : null,
      got,
      tolerance: toleranceOf(name, should),
    };
    if (got === null) return { ...base, verdict: 'not applicable', kind: null };
    if (near(got, should, name)) return { ...base, verdict: 'right', kind: null };
    if (near(got, other, name))
      return { ...base, verdict: 'other definition', kind: kindOfStated(input.definitions, name) };
    return { ...base, verdict: 'faulty', kind: null };
  });
  const given = first.filter(({ verdict }) => verdict !== 'not applicable');
  if (given.length === 0) return { verdict: 'not applicable', kind: null, size: null, figures: first };
  const faulty = given.filter(({ verdict }) => verdict === 'faulty');
  if (faulty.length === 0) return settled(input, first);
  const primary = faulty.filter(({ name }) => !derived(input.got, name));
  const left = primary.length > 0 ? primary : faulty;
  const found = best(input.known, left, input.got);
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
  return { verdict: 'faulty', kind, size: sizeOf(leading(off)), figures };
}

const isJudged = ({ judges }: JudgeInput, figures: readonly JudgedFigure[]): boolean =>
  judges === null || figures.some(({ name }) => (judges as readonly string[]).includes(aspectOf(name)));

/** No fault: right, or another definition where that is the probe's subject. */
function settled(input: JudgeInput, figures: readonly JudgedFigure[]): Judgement {
  const other = figures.filter((one) => one.verdict === 'other definition' && isJudged(input, [one]));
  if (other.length === 0) return { verdict: 'right', kind: null, size: null, figures };
  const shown = leading(other);
  return { verdict: 'other definition', kind: shown[0]!.kind, size: sizeOf(shown), figures };
}
