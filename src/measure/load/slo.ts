/** Goals that a request must meet to count as good (goodput): their spelling, and which hold for which task. */
import { parseDuration } from '../latency-spec.ts';
import { NANOS_PER_MS } from '../time.ts';

export const SLO_METRICS = ['ttft', 'tpot', 'ntpot', 'e2e'] as const;
export type SloMetric = (typeof SLO_METRICS)[number];

/** `ttft`, `e2e` and `ntpot` run from the scheduled instant in an open loop, from the sent one in a closed loop. A value equal to the limit meets it. */
export interface Slo {
  readonly metric: SloMetric;
  readonly limitMs: number;
  /** The one task that it is for, in the place of the goal for all; null: for all. */
  readonly task: string | null;
}

/** Limits of one task's requests, ns; Infinity where there is no goal. */
export type Limits = Readonly<Record<SloMetric, number>>;

/**
 * Parses `ttft=200ms,tpot=50ms`, or `qa:ttft=200ms`, where the task holds for the goals after it, too. Throws an Error.
 */
export function parseSlos(text: string): Slo[] {
  let task: string | null = null;
  return text.split(',').map((part) => {
    const [, name, metric, limit] = /^\s*(?:([\w.-]+):)?(\w+)=(.+)$/.exec(part) ?? [];
    if (metric === undefined || !SLO_METRICS.includes(metric as SloMetric))
      throw new Error(
        `"${part}" is no goal; e.g. ttft=200ms,tpot=50ms or qa:ttft=200ms (goals of ${SLO_METRICS.join(', ')})`,
      );
    if (name !== undefined) task = name;
    const ns = parseDuration(limit!);
    if (ns <= 0) throw new Error(`"${part}": a goal must be above 0`);
    return { metric: metric as SloMetric, limitMs: ns / NANOS_PER_MS, task };
  });
}

/** A goal as it is spelled. */
export const formatSlo = ({ metric, limitMs, task }: Slo): string =>
  `${task === null ? '' : `${task}:`}${metric}=${limitMs}ms`;

/** A goal that is given twice for the same requests; undefined when there is none. */
export const sloTwice = (slos: readonly Slo[]): Slo | undefined =>
  slos.find(({ metric, task }, i) => slos.findIndex((o) => o.metric === metric && o.task === task) < i);

/** What holds for a task: its own goals, and of the others those for all. */
export function limitsOf(slos: readonly Slo[], task: string | null): Limits {
  const limit = (metric: SloMetric): number => {
    const own = task === null ? undefined : slos.find((s) => s.metric === metric && s.task === task);
    const slo = own ?? slos.find((s) => s.metric === metric && s.task === null);
    return slo === undefined ? Number.POSITIVE_INFINITY : slo.limitMs * NANOS_PER_MS;
  };
  return { ttft: limit('ttft'), tpot: limit('tpot'), ntpot: limit('ntpot'), e2e: limit('e2e') };
}
