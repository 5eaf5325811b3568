/** What printed figures show of a client that keeps no records: whether another arithmetic than the stated one explains them. */
import type { Definitions } from '../definitions.ts';
import { type MetricValues, metricValues, SUMMARIES, tableOf } from '../expected.ts';
import { type Metric, type Summary, statistic } from '../metrics.ts';
import { valuesOf } from '../pairs.ts';
import { summarize } from '../quantile.ts';
import type { Evidence } from './evidence.ts';
import { exactly, type Fault, type FaultKind, fault } from './fault.ts';

/** A figure agrees within this share of it, beside the tolerance. */
const NEAR_SHARE = 0.02;
/** An explanation must leave no more than this share of what is to be explained: the client's own delay is in its figures, too. */
const LEFT_OVER = 0.15;

const NAMES = ['mean', 'p50', 'p90'] as const;

/** The largest difference in mean, p50 and p90, ms; p99 of few requests agrees with little. Infinite where one side lacks a figure. */
function apart(printed: Summary, other: Summary): number {
  return Math.max(
    ...NAMES.map((name) => {
      const mine = statistic(printed, name);
      const theirs = statistic(other, name);
      if (mine === null) return 0;
      return theirs === null ? Number.POSITIVE_INFINITY : Math.abs(mine - theirs);
    }),
  );
}

/** Values with those that a "correction" for coordinated omission adds: v − step, v − 2·step, … down to step (HdrHistogram's recordValueWithExpectedInterval). */
export function madeUp(values: ArrayLike<number>, stepMs: number): number[] {
  const all: number[] = [];
  for (let i = 0; i < values.length; i++)
    for (let value = Math.round(values[i]!); value >= stepMs; value -= stepMs) all.push(value);
  return all;
}

interface Explanation {
  readonly kind: FaultKind;
  readonly summary: Summary;
  readonly how: string;
}

function explanations(evidence: Evidence, metric: Metric, values: MetricValues): Explanation[] {
  const { ledger, first, stated, workload } = evidence;
  const by = (changed: Partial<Definitions>): Summary => {
    const definitions = { ...stated.definitions, ...changed };
    return tableOf(metricValues(ledger, definitions, first), definitions)[metric];
  };
  if (metric === 'ttft')
    return [
      {
        kind: 'first-event-as-token',
        summary: by({ ttft: 'headers' }),
        how: 'the head or first event explains it',
      },
    ];
  if (metric === 'itl') {
    const withTtft = [...values.itl, ...values.ttft];
    return [
      {
        kind: 'ttft-in-itl',
        summary: summarize(withTtft, ''),
        how: 'with each TTFT among the gaps it is explained',
      },
    ];
  }
  if (metric !== 'e2e') return [];
  const steps = [...new Set([1, Math.round(1000 / workload.rateRps)])].filter((step) => step > 0);
  return [
    {
      kind: 'end-after-last-token',
      summary: by({ end: 'responseEnd' }),
      how: 'the end of the answer explains it',
    },
    ...steps.map((step) => ({
      kind: 'samples-made-up' as const,
      summary: summarize(madeUp(values.e2e, step), ''),
      how: `entering each v also as v − ${step}, v − ${2 * step}, … ms explains it`,
    })),
  ];
}

/** Of a figure, beside the tolerance: other ways to take a percentile, and rounding. */
const OWN_SHARE = 0.03;

/**
 * Whether the printed TTFT and E2E are those of the client's own records: median and mean, since few clients take percentiles beyond
 * alike. The one that is farthest off; null where all agree, or there is nothing to compare.
 */
export function notOfRecords({ records, stated, printed, toleranceMs }: Evidence): Fault | null {
  const summarizeOwn = SUMMARIES[stated.definitions.percentiles ?? 'interpolated'];
  const good = (records ?? []).filter(({ ok }) => ok);
  let worst: Fault | null = null;
  let most = 1;
  for (const metric of ['ttft', 'e2e'] as const) {
    const own = summarizeOwn(
      good.flatMap((record) => valuesOf(record, metric, stated.definitions)),
      '',
    );
    for (const name of ['p50', 'mean'] as const) {
      const [a, b] = [statistic(printed.metrics[metric], name), statistic(own, name)];
      if (a === null || b === null) continue;
      const times = Math.abs(a - b) / Math.max(toleranceMs, OWN_SHARE * b);
      if (times <= most) continue;
      most = times;
      worst = fault(
        'figures-not-of-records',
        exactly(a - b),
        `it prints ${metric.toUpperCase()} ${name} ${a.toFixed(2)} ms where its own records have ${b.toFixed(2)}`,
      );
    }
  }
  return worst;
}

/** Faults of the printed TTFT, ITL and E2E. */
export function printedFaults(evidence: Evidence): Fault[] {
  const { ledger, first, stated, printed, toleranceMs } = evidence;
  const values = metricValues(ledger, stated.definitions, first);
  const expected = tableOf(values, stated.definitions);
  const faults: Fault[] = [];
  for (const metric of ['ttft', 'itl', 'e2e'] as const) {
    const mine = printed.metrics[metric];
    const theirs = expected[metric];
    if (mine.p50_ms === null || theirs.p50_ms === null) continue;
    const apartMs = apart(mine, theirs);
    if (apartMs <= Math.max(toleranceMs, NEAR_SHARE * theirs.p50_ms)) continue;
    // A median that holds is the client's own delay on some requests: bias, which has its own verdict, and no other definition.
    const off = metric === 'itl' ? mine.mean_ms! - theirs.mean_ms! : mine.p50_ms - theirs.p50_ms;
    if (Math.abs(off) <= toleranceMs) continue;
    const leftMs = Math.max(toleranceMs, LEFT_OVER * apartMs);
    const why = explanations(evidence, metric, values).find(({ summary }) => apart(mine, summary) <= leftMs);
    const words = `${metric.toUpperCase()} is off by ${off.toFixed(2)} ms in the ${metric === 'itl' ? 'mean' : 'median'}`;
    faults.push(
      why === undefined
        ? fault('unnamed', exactly(off), words)
        : fault(why.kind, exactly(off), `${words}; ${why.how}`),
    );
  }
  return faults;
}
