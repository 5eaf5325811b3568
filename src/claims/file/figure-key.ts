/** Names of figures as a file writes them: `ttft_p99`, `output_throughput`. Pure. */
import { nearest } from '../../../adapters/kit/near-miss.ts';
import { CLAIM_STATISTICS, type ClaimMetric, type ClaimStatistic, METRIC_UNIT } from '../claim.ts';
import type { QuantityKind } from './quantity.ts';

export const CLAIM_METRICS = Object.keys(METRIC_UNIT) as readonly ClaimMetric[];

const KIND_OF_UNIT: Readonly<Record<(typeof METRIC_UNIT)[ClaimMetric], QuantityKind>> = {
  ms: 'latency',
  'tok/s': 'tokenRate',
  'req/s': 'requestRate',
  'tok/s/user': 'userRate',
  '%': 'share',
  requests: 'requests',
};

/** What a figure of this metric is written as. */
export const kindOf = (metric: ClaimMetric): QuantityKind => KIND_OF_UNIT[METRIC_UNIT[metric]];

export interface FigureKey {
  readonly metric: ClaimMetric;
  readonly statistic: ClaimStatistic;
  /** The key as ids have it: `_total`, which says nothing, left out. */
  readonly key: string;
}

/** Figures that are one number for a whole run, whatever a page calls them. */
const WHOLE_RUN: readonly ClaimMetric[] = [
  'output_throughput',
  'input_throughput',
  'total_throughput',
  'request_throughput',
  'success_rate',
  'completed',
  'failed',
];
const COUNTED: readonly ClaimMetric[] = ['success_rate', 'completed', 'failed'];

/** Reads a key; a string is the fault. */
export function parseFigureKey(key: string): FigureKey | string {
  // The longest metric first: user_throughput is none with the statistic "throughput".
  const metric = CLAIM_METRICS.find((name) => key === name || key.startsWith(`${name}_`));
  if (metric === undefined) {
    const near = nearest(key.split(/_(?=[^_]*$)/)[0] ?? key, CLAIM_METRICS) ?? nearest(key, CLAIM_METRICS);
    const allowed = `${CLAIM_METRICS.join(', ')}, with _${CLAIM_STATISTICS.join(', _')} behind it where the statistic is stated`;
    return `there is no such figure${near === null ? '; allowed' : `; did you mean ${near}? Allowed`} are ${allowed}`;
  }
  const rest = key === metric ? null : key.slice(metric.length + 1);
  if (rest === null) return { metric, statistic: WHOLE_RUN.includes(metric) ? 'total' : null, key };
  const statistic = CLAIM_STATISTICS.find((name) => name === rest);
  if (statistic === undefined) {
    const meant =
      rest === 'avg' || rest === 'average'
        ? 'mean'
        : rest === 'median'
          ? 'p50'
          : nearest(rest, CLAIM_STATISTICS);
    return `"${rest}" is no statistic${meant === null ? '; allowed' : `; did you mean ${metric}_${meant}? Allowed`} are ${CLAIM_STATISTICS.join(', ')}, or ${metric} alone where it is not stated`;
  }
  if (statistic === 'total' && !WHOLE_RUN.includes(metric))
    return `${metric} has no total; write its statistic, or ${metric} alone`;
  if (COUNTED.includes(metric) && statistic !== 'total')
    return `${metric} is a count of the whole run: write ${metric} alone`;
  return { metric, statistic, key: statistic === 'total' ? metric : key };
}
