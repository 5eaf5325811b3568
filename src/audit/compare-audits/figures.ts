/** The figures that are compared: what each is, in which unit, which way is worse, and what it cannot be told apart by. Pure data. */
import { METRICS, type Metric, STATISTICS, type Statistic } from '../../measure/metrics.ts';

/**
 * `rate`: what arrived over what was asked. `success`: requests answered in full over those that arrived. `bias`: the queueing bias, as an audit judges it. `total`: the total bias, definitions
 * included, compared only where definitions differ. `cpu`: share of a core of the busiest thread. `gaps`: squared coefficient of variation of the gaps between arrivals.
 */
export type FigureKind = 'rate' | 'success' | 'bias' | 'total' | 'cpu' | 'gaps';
export const FIGURE_UNITS = ['ms', 'share', 'cv2'] as const;
export type FigureUnit = (typeof FIGURE_UNITS)[number];

export interface FigureSpec {
  /** As in `--figures`: `rate`, `ttft_p99`, `cpu`, `gap_cv2`; a total bias is `ttft_p99_total`. */
  readonly name: string;
  readonly kind: FigureKind;
  readonly unit: FigureUnit;
  /** Of `bias` and `total` only. */
  readonly metric: Metric | null;
  readonly statistic: Statistic | null;
}

/**
 * Below these a difference is nobody's concern. They are chosen, not measured. Rate: a quarter of the 2 % at which a trial counts as
 * saturated; the same of requests answered. CPU: 2 % of a core; the kernel counts in ticks of 10 ms. Gaps: a tenth of what Poisson arrivals have.
 */
export const CHOSEN_FLOOR = { rate: 0.005, success: 0.005, cpu: 0.02, gaps: 0.1 } as const;

const plain = (name: string, kind: FigureKind, unit: FigureUnit): FigureSpec => ({
  name,
  kind,
  unit,
  metric: null,
  statistic: null,
});

const biasFigure = (metric: Metric, statistic: Statistic): FigureSpec => ({
  name: `${metric}_${statistic}`,
  kind: 'bias',
  unit: 'ms',
  metric,
  statistic,
});

/** The total bias beside a queueing bias. */
export const totalOf = (figure: FigureSpec): FigureSpec => ({
  ...figure,
  name: `${figure.name}_total`,
  kind: 'total',
});

/** Every figure that can be asked for. */
export const FIGURES: readonly FigureSpec[] = [
  plain('rate', 'rate', 'share'),
  plain('success', 'success', 'share'),
  ...METRICS.flatMap((metric) => STATISTICS.map((statistic) => biasFigure(metric, statistic))),
  plain('cpu', 'cpu', 'share'),
  plain('gap_cv2', 'gaps', 'cv2'),
];

/** Without `--figures`: no p90, which lies between two others, and no NTPOT, which is E2E over a length that is the same for all. */
export const DEFAULT_FIGURES: readonly string[] = FIGURES.filter(
  ({ metric, statistic }) => metric !== 'ntpot' && statistic !== 'p90',
).map(({ name }) => name);

/** The figures of these names, in the order of FIGURES; null where a name is unknown. */
export function figuresNamed(names: readonly string[]): readonly FigureSpec[] | null {
  if (names.some((name) => !FIGURES.some((figure) => figure.name === name))) return null;
  return FIGURES.filter((figure) => names.includes(figure.name));
}

/** What decides without `--figures`; E2E p99 stands in where no TTFT can be compared. */
export const PRIMARY_FIGURES: readonly string[] = ['rate', 'success', 'ttft_p50', 'ttft_p99'];
export const WITHOUT_TTFT = 'e2e_p99';
