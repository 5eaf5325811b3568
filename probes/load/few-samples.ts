import { SUMMARIES } from '../../src/measure/expected.ts';
import type { Statistic, Summary } from '../../src/measure/metrics.ts';
import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { printed, servedMs } from '../kit/load-run.ts';
import { faulty, figure, notApplicable, other, right, say, sizeOf } from '../kit/load-verdict.ts';

const NAMES: readonly Statistic[] = ['p50', 'p90', 'p99'];
const RULES = Object.keys(SUMMARIES) as (keyof typeof SUMMARIES)[];

const slackOf = (ms: number): number => Math.max(8, 0.02 * ms);

interface Given {
  readonly name: Statistic;
  readonly got: number;
}

const fits = (given: readonly Given[], summary: Summary): boolean =>
  given.every(({ name, got }) => {
    const value = summary[`${name}_ms`]!;
    return Math.abs(got - value) <= slackOf(value);
  });

/** Whether each percentile lies between the two values on either side of it, where every rule for quantiles puts it. */
const isBetween = (given: readonly Given[], sorted: Float64Array): boolean =>
  given.every(({ name, got }) => {
    const place = (Number(name.slice(1)) / 100) * (sorted.length - 1);
    const low = sorted[Math.floor(place)]!;
    const high = sorted[Math.ceil(place)]!;
    return got >= low - slackOf(low) && got <= high + slackOf(high);
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
    const truth = SUMMARIES.interpolated(values, '');
    const figures = given.map(({ name, got }) => {
      const value = truth[`${name}_ms`]!;
      return figure(
        `${metric.toUpperCase()} ${name} of ${values.length}`,
        'ms',
        value,
        got,
        slackOf(value),
        'printed',
      );
    });
    if (fits(given, truth)) return right('its percentiles are interpolated', figures);
    const worst = figures.toSorted((a, b) => Math.abs(b.got! - b.right!) - Math.abs(a.got! - a.right!))[0]!;
    const size = sizeOf(worst);
    const stated = run!.definitions.percentiles ?? 'interpolated';
    const rule = RULES.filter((one) => fits(given, SUMMARIES[one](values, ''))).sort(
      (a, b) => Number(b === stated) - Number(a === stated),
    )[0];
    if (rule !== undefined)
      return other(
        'percentile-rule',
        `its percentiles are by the rule “${rule}”${rule === stated ? ', as is stated of it' : ''}: ${worst.name} ${say(worst.got!)} where interpolation gives ${say(worst.right!)}`,
        size,
        figures,
      );
    return isBetween(given, values)
      ? other(
          'percentile-rule',
          `its percentiles lie between the right values, by a rule of its own`,
          size,
          figures,
        )
      : faulty(
          'percentile-off',
          `${worst.name} is ${say(worst.got!)} ms where ${say(worst.right!)} is right`,
          size,
          figures,
        );
  },
} satisfies LoadProbe;
