/** Documents to compare: the sample audit, and others made of it that differ in one known thing. */
import { type CompareInput, compareAudits } from '../../../src/audit/compare-audits/compare.ts';
import type { Comparison, FigureComparison } from '../../../src/audit/compare-audits/document.ts';
import { DEFAULT_FIGURES, figuresNamed } from '../../../src/audit/compare-audits/figures.ts';
import type { AuditDocument, Trial, TrialBias } from '../../../src/audit/document.ts';
import type { Metric, Statistic } from '../../../src/measure/metrics.ts';
import { normal, uniform } from '../../../src/measure/random.ts';

/** The same audit on another day. */
export const again = (document: AuditDocument): AuditDocument => ({
  ...document,
  started_at: '2025-11-30T12:00:00.000Z',
  trials: document.trials.map((trial) => ({
    ...trial,
    started_at: trial.started_at.replace('2025-11-29', '2025-11-30'),
  })),
});

export const mapTrials = (document: AuditDocument, of: (trial: Trial) => Trial): AuditDocument => ({
  ...document,
  trials: document.trials.map(of),
});

export interface Shift {
  readonly client: string;
  readonly rate: number;
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly by: number;
}

/** One figure of one cell moved by a known amount in every repetition. */
export const shifted = (document: AuditDocument, shift: Shift): AuditDocument =>
  mapTrials(document, (trial) => {
    if (trial.client !== shift.client || trial.workload.rateRps !== shift.rate) return trial;
    const bias = trial.bias.map((row): TrialBias => {
      if (row.metric !== shift.metric || row.statistic !== shift.statistic) return row;
      const moved = (value: number | null) => (value === null ? null : value + shift.by);
      return {
        ...row,
        reported_ms: moved(row.reported_ms),
        queueing_bias_ms: moved(row.queueing_bias_ms),
        total_bias_ms: moved(row.total_bias_ms),
      };
    });
    return { ...trial, bias };
  });

/** Every figure drawn anew around those of the first repetition: normal, of this spread, independent. */
export function drawn(document: AuditDocument, seed: number, spreadMs: number): AuditDocument {
  const u = uniform(seed, 0xaa);
  const first = (trial: Trial) =>
    document.trials.find((t) => t.client === trial.client && t.workload.rateRps === trial.workload.rateRps)!;
  return mapTrials(document, (trial) => {
    const base = first(trial);
    return {
      ...trial,
      truth: {
        ...trial.truth!,
        rate_fidelity: base.truth!.rate_fidelity! + 0.02 * normal(u),
        gap_cv2: base.truth!.gap_cv2! + 0.5 * normal(u),
      },
      observed: {
        ...trial.observed!,
        busiest_thread_share: base.observed!.busiest_thread_share! + 0.1 * normal(u),
      },
      bias: trial.bias.map((row, i) => ({
        ...row,
        queueing_bias_ms: base.bias[i]!.queueing_bias_ms! + spreadMs * normal(u),
      })),
    };
  });
}

export const compare = (
  a: AuditDocument,
  b: AuditDocument,
  input: Partial<CompareInput> & { readonly names?: readonly string[] } = {},
): Comparison =>
  compareAudits({
    a,
    b,
    folderA: 'results/a',
    folderB: 'results/b',
    map: new Map(),
    clients: null,
    figures: figuresNamed(input.names ?? DEFAULT_FIGURES)!,
    chosen: input.names !== undefined,
    verdictOf: () => ({ verdict: 'within', holds_rps: 100, fails_rps: null, sentence: '' }),
    version: '0.1.0',
    ...input,
  });

/** Every figure with where it is. */
export const figuresOf = ({ clients }: Comparison): (FigureComparison & { at: string })[] =>
  clients.flatMap(({ a, rates }) =>
    rates.flatMap(({ rate_rps, figures }) =>
      figures.map((figure) => ({ ...figure, at: `${a} ${rate_rps} ${figure.figure}` })),
    ),
  );

/** `asyncio 100 ttft_p99` of those in a state. */
export const inState = (comparison: Comparison, ...states: readonly FigureComparison['state'][]): string[] =>
  figuresOf(comparison)
    .filter(({ state }) => states.includes(state))
    .map(({ at }) => at);
