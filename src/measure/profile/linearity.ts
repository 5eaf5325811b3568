/** Whether a line explains what was measured: cell by cell, against the spread between runs of one cell. */
import { t975 } from '../intervals.ts';
import type { CostFit, CostPoint } from './regression.ts';

/** A kind of request that the line misses. */
export interface LineMiss {
  readonly tokens: number;
  readonly prompt_bytes: number;
  readonly measured_us: number;
  readonly line_us: number;
  /** measured / line − 1, with a 95 % interval for all cells together. */
  readonly share: number;
  readonly low_share: number;
  readonly high_share: number;
}

export interface Linearity {
  /** Farther off than this share counts as a miss, where the interval excludes 0. */
  readonly tolerance_share: number;
  /** null: no cell was run twice, so there is no spread to hold it against. */
  readonly misses: readonly LineMiss[] | null;
}

const TOLERANCE = 0.1;

interface Celled extends CostPoint {
  /** The kind of request that it is a run of. */
  readonly cell: string;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The cells that the line misses. The spread of runs within a cell, as a share of the line, is pooled over all cells; a miss is as wide as
 * Bonferroni's correction for their number makes it.
 */
export function linearityOf(fit: CostFit, points: readonly Celled[]): Linearity {
  const cells = new Map<string, Celled[]>();
  for (const point of points) cells.set(point.cell, [...(cells.get(point.cell) ?? []), point]);
  const relative = (point: Celled): number => point.us / fit.at(point).us - 1;
  let squares = 0;
  let df = 0;
  for (const runs of cells.values()) {
    const shares = runs.map(relative);
    const centre = mean(shares);
    squares += shares.reduce((sum, share) => sum + (share - centre) ** 2, 0);
    df += runs.length - 1;
  }
  if (df === 0) return { tolerance_share: TOLERANCE, misses: null };
  const spread = Math.sqrt(squares / df);
  const reach = t975(df, cells.size);
  const misses = [...cells.values()].flatMap((runs): LineMiss[] => {
    const share = mean(runs.map(relative));
    const half = (reach * spread) / Math.sqrt(runs.length);
    if (Math.abs(share) <= TOLERANCE || Math.abs(share) <= half) return [];
    const { tokens } = runs[0]!;
    const promptBytes = mean(runs.map((run) => run.promptBytes));
    return [
      {
        tokens,
        prompt_bytes: Math.round(promptBytes),
        measured_us: mean(runs.map(({ us }) => us)),
        line_us: fit.at({ tokens, promptBytes }).us,
        share,
        low_share: share - half,
        high_share: share + half,
      },
    ];
  });
  return { tolerance_share: TOLERANCE, misses };
}
