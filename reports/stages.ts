/** The decomposition of a client's bias at a rate, over repetitions: what the chart draws and the table prints. */
import type { AuditDocument } from '../src/audit/document.ts';
import { STAGES, type Stage } from '../src/measure/decomposition.ts';

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

/** A stage of a cell, ms: the mean over its trials of their means. */
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
  /** Mean of reported − injected over the trials, and the least and the greatest of them. */
  readonly bias_ms: number;
  readonly low_ms: number;
  readonly high_ms: number;
  /** Over the slowest hundredth of requests. */
  readonly tail_bias_ms: number;
  readonly stages: readonly CellStage[];
  /** Requests with a way that is shorter than nothing. */
  readonly impossible: number;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** What a trial lacks counts as zero where another one has it; absent only where all lack it. */
const meanOf = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value === null) ? null : mean(values.map((value) => value ?? 0));

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
            bias_ms: mean(biases),
            low_ms: Math.min(...biases),
            high_ms: Math.max(...biases),
            tail_bias_ms: mean(found.map((one) => one.bias_tail_mean_ms)),
            stages: STAGES.map((stage) => {
              const own = found.map((one) => one.stages[stage]);
              const mean_ms = meanOf(own.map((one) => one.mean_ms));
              return {
                stage,
                mean_ms,
                tail_mean_ms: meanOf(own.map((one) => one.tail_mean_ms)),
                reason: mean_ms === null ? own[0]!.reason : null,
                held_by: mean_ms === null ? own[0]!.held_by : null,
              };
            }),
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
