/** What judging works on: the figures that a client gives, and each with its verdict. */
import type { FigureName, Tolerance } from './figures.ts';
import type { Seen } from './seen.ts';

export type Given = Readonly<Partial<Record<FigureName, number | null>>>;

export interface Candidate {
  readonly kind: string;
  readonly definition: boolean;
  readonly seen: readonly Seen[];
}

export type Verdict = 'right' | 'other definition' | 'faulty' | 'undetermined';

export interface JudgedFigure {
  readonly name: FigureName;
  readonly unit: string;
  readonly right: number | null;
  readonly stated: number | null;
  readonly got: number | null;
  readonly tolerance: Tolerance;
  readonly verdict: Verdict | 'not applicable';
  readonly kind: string | null;
}
