/** Goals that a stored load run is held to: `ttft_p99=200ms,e2e_p50=2s,success=99%`. Pure. */
import { parseDuration } from '../../measure/latency-spec.ts';
import { NANOS_PER_MS } from '../../measure/time.ts';

export const RUN_SLO_METRICS = ['ttft', 'e2e', 'tpot', 'ntpot', 'itl'] as const;
export const RUN_SLO_STATISTICS = ['mean', 'p50', 'p90', 'p99', 'p999', 'max'] as const;

/** One figure of a run, and what it may be at most. */
export interface RunSlo {
  readonly metric: (typeof RUN_SLO_METRICS)[number];
  readonly statistic: (typeof RUN_SLO_STATISTICS)[number];
  readonly limit_ms: number;
}

export interface RunGoals {
  /** Least share of requests that must succeed. */
  readonly success: number;
  readonly slos: readonly RunSlo[];
}

/** Without another word: of a hundred requests ninety-nine. */
export const DEFAULT_SUCCESS = 0.99;

const ACCEPTED = `use METRIC_STATISTIC=200ms and success=99%, with commas; METRIC is ${RUN_SLO_METRICS.join(', ')} and STATISTIC ${RUN_SLO_STATISTICS.join(', ')}`;

function successOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)%$/.exec(text);
  const share = match === null ? Number.NaN : Number(match[1]) / 100;
  if (!(share > 0 && share <= 1))
    throw new Error(`the success rate is a share above 0 and up to 100 %, e.g. success=99%, not "${text}"`);
  return share;
}

/** Parses goals. @throws Error that says what is accepted. */
export function parseRunGoals(text: string): RunGoals {
  let success: number | null = null;
  const slos = new Map<string, RunSlo>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, name, value] = /^(\w+)=(\S+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) throw new Error(`"${part}" is no goal: ${ACCEPTED}`);
    if (slos.has(name) || (name === 'success' && success !== null))
      throw new Error(`${name} is given twice: which of them is meant?`);
    if (name === 'success') {
      success = successOf(value);
      continue;
    }
    const [metric, statistic, more] = name.split('_');
    if (
      more !== undefined ||
      !RUN_SLO_METRICS.includes(metric as RunSlo['metric']) ||
      !RUN_SLO_STATISTICS.includes(statistic as RunSlo['statistic'])
    )
      throw new Error(`"${name}" is no figure of a load run: ${ACCEPTED}`);
    const ns = parseDuration(value);
    if (!(ns > 0)) throw new Error(`"${part}": a goal must be above 0`);
    slos.set(name, {
      metric: metric as RunSlo['metric'],
      statistic: statistic as RunSlo['statistic'],
      limit_ms: ns / NANOS_PER_MS,
    });
  }
  return { success: success ?? DEFAULT_SUCCESS, slos: [...slos.values()] };
}

/** As its flag spells them. */
export const formatRunGoals = ({ success, slos }: RunGoals): string =>
  [
    ...slos.map(({ metric, statistic, limit_ms }) => `${metric}_${statistic}=${limit_ms}ms`),
    `success=${Number((100 * success).toPrecision(6))}%`,
  ].join(',');
