/** The decomposition of a client's bias at a rate, over repetitions: what the chart draws and the table prints. */
import type { AuditDocument } from '../src/audit/document.ts';
import { type FigureDecomposition, STAGES, type Stage } from '../src/measure/decomposition.ts';

export type StagedMetric = 'ttft' | 'e2e';

/** Names of stages as people read them. */
export const STAGE_LABEL: Readonly<Record<Stage, string>> = {
  schedule_lag: 'schedule lag',
  before_send: 'before it leaves the client',
  to_target: 'on the way to the target',
  target_error: 'the target’s own error',
  back: 'from the target onto the wire',
  read: 'until the client has read it',
  definition: 'another definition',
  unknown: 'cannot be told',
};

/** A stage of a cell, ms: the mean over the requests of all its trials. */
export interface CellStage {
  readonly stage: Stage;
  readonly mean_ms: number | null;
  readonly tail_mean_ms: number | null;
  /** Why there is no figure; null with one. */
  readonly reason: string | null;
  readonly held_by: Stage | null;
}

/** A client at a rate. */
export interface StageCell {
  readonly client: string;
  readonly rate_rps: number;
  readonly trials: number;
  readonly requests: number;
  /** Mean of reported − injected over the requests of all trials, and the least and the greatest mean of a trial. */
  readonly bias_ms: number;
  readonly low_ms: number;
  readonly high_ms: number;
  /** Over the slowest hundredth of each trial's requests. */
  readonly tail_bias_ms: number;
  readonly stages: readonly CellStage[];
  /** Requests that lack a stamp which nearly all others have. */
  readonly left_out: number;
  /** Requests with a way that is shorter than nothing. */
  readonly impossible: number;
}

/** The mean over all requests of what is given by trial. */
function weighed(found: readonly FigureDecomposition[], of: (one: FigureDecomposition) => number): number {
  const requests = found.reduce((sum, one) => sum + one.requests, 0);
  return found.reduce((sum, one) => sum + of(one) * one.requests, 0) / requests;
}

/**
 * A cell's stages. One that a trial could not part from the stage that holds it (no capture of the wire, say) is parted in none: else a mean would
 * be of two meanings. What a trial has in `unknown` altogether counts as zero where another one tells it; absent only where all lack it.
 */
function stagesOf(found: readonly FigureDecomposition[]): readonly CellStage[] {
  const merged = new Map<Stage, CellStage>();
  for (const stage of STAGES) {
    const lacking = found.map((one) => one.stages[stage]).find((one) => one.mean_ms === null);
    const { held_by = null, reason = null } = lacking ?? {};
    if (held_by !== null && held_by !== 'unknown')
      merged.set(stage, { stage, mean_ms: null, tail_mean_ms: null, reason, held_by });
  }
  return STAGES.map((stage): CellStage => {
    const held = merged.get(stage);
    if (held !== undefined) return held;
    const parts = [
      stage,
      ...[...merged.values()].filter((one) => one.held_by === stage).map((one) => one.stage),
    ];
    const own = found.map((one) => one.stages[stage]);
    if (found.every((one) => parts.every((part) => one.stages[part].mean_ms === null)))
      return { stage, mean_ms: null, tail_mean_ms: null, reason: own[0]!.reason, held_by: own[0]!.held_by };
    const sum = (key: 'mean_ms' | 'tail_mean_ms') =>
      weighed(found, (one) => parts.reduce((total, part) => total + (one.stages[part][key] ?? 0), 0));
    return { stage, mean_ms: sum('mean_ms'), tail_mean_ms: sum('tail_mean_ms'), reason: null, held_by: null };
  });
}

/** Every client and rate with joined requests, in the order of the audit. */
export function stageCells(document: AuditDocument, metric: StagedMetric): readonly StageCell[] {
  return document.plan.clients.flatMap((client) =>
    [...document.plan.rates_rps]
      .sort((a, b) => a - b)
      .flatMap((rate_rps): StageCell[] => {
        const found = document.trials
          .filter((trial) => trial.client === client && trial.workload.rateRps === rate_rps)
          .flatMap((trial) => trial.decomposition?.[metric] ?? []);
        if (found.length === 0) return [];
        const biases = found.map((one) => one.bias_mean_ms);
        return [
          {
            client,
            rate_rps,
            trials: found.length,
            requests: found.reduce((sum, one) => sum + one.requests, 0),
            bias_ms: weighed(found, (one) => one.bias_mean_ms),
            low_ms: Math.min(...biases),
            high_ms: Math.max(...biases),
            tail_bias_ms: weighed(found, (one) => one.bias_tail_mean_ms),
            stages: stagesOf(found),
            left_out: found.reduce((sum, one) => sum + (one.left_out ?? 0), 0),
            impossible: found.reduce((sum, one) => sum + one.impossible, 0),
          },
        ];
      }),
  );
}

/** The stage that weighs most, by its mean or in the slowest hundredth; null where all are nothing. */
export function largestStage(cell: StageCell, by: 'mean_ms' | 'tail_mean_ms'): CellStage | null {
  const weighed = cell.stages.filter((one) => (one[by] ?? 0) !== 0);
  if (weighed.length === 0) return null;
  return weighed.reduce((a, b) => (Math.abs(b[by]!) > Math.abs(a[by]!) ? b : a));
}
