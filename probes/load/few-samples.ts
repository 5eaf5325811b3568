import { SUMMARIES } from '../../src/measure/expected.ts';
import type { Statistic, Summary } from '../../src/measure/metrics.ts';
import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean, quantileSorted } from '../../src/measure/quantile.ts';
import { printed, servedMs } from '../kit/load-run.ts';
import { faulty, figure, notApplicable, other, right, say, sizeOf } from '../kit/load-verdict.ts';

const NAMES: readonly Statistic[] = ['p50', 'p90', 'p99'];

type Rule = readonly [name: string, at: (values: Float64Array) => Summary];

/** Rules between two values beside type 7 (Hyndman & Fan 1996): the p-quantile of n stands at place n·p + m, counted from 1. */
const BETWEEN: readonly (readonly [type: number, m: (p: number) => number])[] = [
  [4, () => 0],
  [5, () => 0.5],
  [6, (p) => p],
  [8, (p) => (p + 1) / 3],
  [9, (p) => p / 4 + 3 / 8],
];

function summaryBetween(sorted: Float64Array, m: (p: number) => number): Summary {
  const n = sorted.length;
  const at = (p: number) => quantileSorted(sorted, Math.min(1, Math.max(0, (n * p + m(p) - 1) / (n - 1))));
  return { n, mean_ms: mean(sorted), p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99) };
}

const RULES: readonly Rule[] = [
  ...Object.entries(SUMMARIES).map(([name, sum]): Rule => [name, (values) => sum(values, '')]),
  ...BETWEEN.map(([type, m]): Rule => [`Hyndman & Fan type ${type}`, (values) => summaryBetween(values, m)]),
];

/** What a client adds of its own to each request, ms. Rules for twenty values differ by tens. */
const SLACK_MS = 8;
/** Beyond that, what it adds to each by its own mean, up to as much again: a slow client’s percentiles are by a rule, too. */
function slackOf(run: LoadRun, metric: 'ttft' | 'e2e', values: Float64Array): number {
  const added = (printed(run, metric, 'mean') ?? 0) - mean(values);
  return SLACK_MS + Math.min(SLACK_MS, Math.max(0, added));
}

interface Given {
  readonly name: Statistic;
  readonly got: number;
}

const fits = (given: readonly Given[], summary: Summary, slackMs: number): boolean =>
  given.every(({ name, got }) => {
    const value = summary[`${name}_ms`]!;
    return Math.abs(got - value) <= slackMs;
  });

function metricOf(run: LoadRun): 'ttft' | 'e2e' | null {
  return (['ttft', 'e2e'] as const).find((metric) => printed(run, metric, 'p90') !== null) ?? null;
}

export default {
  scope: 'load',
  title: '20 requests that take unequal times',
  about:
    'Of twenty values p99 is the largest or nearly so, and rules for a percentile between two values differ by as much as those do. Two clients that differ in this alone differ by tens of milliseconds here.',
  source: 'the rules of docs/metrics.md (interpolated: Hyndman & Fan type 7) on what the ledger holds',
  right: 'percentiles of the twenty, by a known rule',
  runs: [
    {
      name: '20 at 10/s',
      rateRps: 10,
      requests: 20,
      tokens: 4,
      arrivals: 'constant',
      latency: 'ttft=lognormal:300ms:0.6',
    },
  ],
  known: [
    {
      kind: 'percentile-rule',
      what: 'takes percentiles by another rule than interpolation',
      arithmetic:
        'of 20: p90 is value 18.1 of them interpolated, 19 at index ⌊0.9·20⌋, 18 by nearest rank; p99 the largest',
      definition: true,
    },
    {
      kind: 'percentile-off',
      what: 'prints percentiles that no known rule makes of its values',
      arithmetic: 'of 20: value 17 as p90, which is the 85th percentile by nearest rank',
    },
  ],
  judge([run]): LoadVerdict {
    const metric = metricOf(run!);
    if (metric === null) return notApplicable('it prints no p90 of TTFT or E2E');
    const values = servedMs(run!, metric).sort();
    if (values.length < 10) return notApplicable(`only ${values.length} requests were completed`);
    const given = NAMES.flatMap((name) => {
      const got = printed(run!, metric, name);
      return got === null ? [] : [{ name, got }];
    });
    const slackMs = slackOf(run!, metric, values);
    const truth = SUMMARIES.interpolated(values, '');
    const figures = given.map(({ name, got }) => {
      const value = truth[`${name}_ms`]!;
      return figure(
        `${metric.toUpperCase()} ${name} of ${values.length}`,
        'ms',
        value,
        got,
        slackMs,
        'printed',
      );
    });
    if (fits(given, truth, slackMs))
      return right(
        `its ${given.map(({ name }) => name).join(', ')} ${given.length > 1 ? 'are' : 'is'} interpolated, to within ${say(slackMs)} ms`,
        figures,
      );
    const worst = figures.toSorted((a, b) => Math.abs(b.got! - b.right!) - Math.abs(a.got! - a.right!))[0]!;
    const size = sizeOf(worst);
    const stated = run!.definitions.percentiles ?? 'interpolated';
    const rule = RULES.filter(([, at]) => fits(given, at(values), slackMs))
      .map(([name]) => name)
      .sort((a, b) => Number(b === stated) - Number(a === stated))[0];
    if (rule !== undefined)
      return other(
        'percentile-rule',
        `its percentiles fit the rule “${rule}”${rule === stated ? ', as is stated of it' : ''}: ${worst.name} ${say(worst.got!)} where interpolation gives ${say(worst.right!)}`,
        size,
        figures,
      );
    return faulty(
      'percentile-off',
      `${worst.name} is ${say(worst.got!)} ms where interpolation gives ${say(worst.right!)}, and no rule that is known (${RULES.map(([name]) => name).join(', ')}) makes what it prints of these values`,
      size,
      figures,
    );
  },
} satisfies LoadProbe;
