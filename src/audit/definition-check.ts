/**
 * Do a client's stated definitions explain what it prints? At a low rate a client adds next to nothing, so what it prints must be what its
 * definitions make of the ledger. The target is asked to send head, role, tokens and end at instants far apart, so that each definition
 * gives a figure of its own; where the stated one does not fit, the one that does is named. Pure.
 */
import type { Definitions } from '../measure/definitions.ts';
import { metricValues, tableOf } from '../measure/expected.ts';
import type { Ledger } from '../measure/ledger.ts';
import { METRICS, type Metric, type MetricTable, STATISTICS, statistic } from '../measure/metrics.ts';

/** How the target sends in one pass of the check. */
export interface Shape {
  readonly name: string;
  readonly role: 'merged' | 'early';
  readonly tailMs: number;
}

/**
 * Two passes: they differ in whether a role comes with the head, which tells "first chunk" from "headers"; both send the head at once and
 * the end late, which tells headers and the response's end from tokens.
 */
export const SHAPES: readonly Shape[] = [
  { name: 'role with the head', role: 'early', tailMs: 60 },
  { name: 'role with the first token', role: 'merged', tailMs: 60 },
];

/** Gaps are uneven, so that the median gap (9 ms) is not the median TPOT (about 13 ms). */
export const CHECK_WORKLOAD = {
  rateRps: 5,
  durationS: 4,
  latency: 'ttft=60ms,itl=lognormal:14ms:1.2',
  outputTokens: 10,
  promptTokens: 16,
} as const;

/** What a client may add of its own at 5 requests/s before a definition is doubted, ms. Other definitions differ by several times that. */
export const TOLERANCE_MS: Readonly<Record<Metric, number>> = {
  ttft: 10,
  itl: 1.5,
  tpot: 2,
  ntpot: 2,
  e2e: 15,
};

/** What one pass showed. */
export interface Pass {
  readonly shape: Shape;
  readonly ledger: Ledger;
  /** First row that counts. */
  readonly first: number;
  readonly reported: MetricTable;
}

export interface DefinitionCheck {
  readonly metric: Metric;
  /** Medians by pass, ms. */
  readonly reported_p50_ms: readonly (number | null)[];
  readonly expected_p50_ms: readonly (number | null)[];
  /** The larger difference of the passes (by size), ms. */
  readonly difference_ms: number | null;
  readonly verdict:
    | 'agrees'
    | 'another definition'
    | 'none fits'
    | 'not given'
    | 'given but not stated'
    | 'stated but not given';
  /** With `none fits`: printed / expected, where both passes are off by the same factor that units differ by. */
  readonly factor?: 1000 | 0.001;
  /** With `stated but not given`: why it is absent, in the parser's words. */
  readonly absent?: string;
  /** Definitions that would explain the figures, where the stated ones do not. */
  readonly fits: readonly Partial<Definitions>[];
}

const CHOICES = {
  ttft: ['firstContent', 'firstChunk', 'headers'],
  itl: ['chunkGaps', 'tpot'],
  tpot: ['standard', 'betweenTokens'],
  ntpot: ['standard', 'toLastToken'],
  end: ['lastToken', 'responseEnd'],
} as const satisfies Partial<Record<keyof Definitions, readonly string[]>>;
type Field = keyof typeof CHOICES;

/** The fields that each metric depends on, the likeliest to be wrong first. */
const FIELDS: Readonly<Record<Metric, readonly Field[]>> = {
  ttft: ['ttft'],
  itl: ['itl', 'tpot', 'end', 'ttft'],
  tpot: ['tpot', 'end', 'ttft'],
  ntpot: ['ntpot', 'end'],
  e2e: ['end'],
};

/** Every way to change the fields of a metric, fewest changes first; the stated way is the first. */
function variants(stated: Definitions, metric: Metric): Partial<Definitions>[] {
  let found: Partial<Definitions>[] = [{}];
  for (const field of FIELDS[metric])
    found = found.flatMap((one) => [
      one,
      ...CHOICES[field].filter((kind) => kind !== stated[field]).map((kind) => ({ ...one, [field]: kind })),
    ]);
  return found.sort((a, b) => Object.keys(a).length - Object.keys(b).length);
}

const median = (pass: Pass, definitions: Definitions, metric: Metric): number | null =>
  tableOf(metricValues(pass.ledger, definitions, pass.first), definitions)[metric].p50_ms;

/** The difference of the greater size; null where a pass lacks one side. */
function worst(reported: readonly (number | null)[], expected: readonly (number | null)[]): number | null {
  const differences = reported.map((value, i) => {
    const other = expected[i] ?? null;
    return value === null || other === null ? null : value - other;
  });
  if (differences.length === 0 || differences.includes(null)) return null;
  return (differences as number[]).reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most));
}

/** How near to a factor of 1,000 every pass must be. */
const FACTOR_WITHIN = 0.05;

/** The factor of units that every pass is off by, or null. */
function factorOf(
  reported: readonly (number | null)[],
  expected: readonly (number | null)[],
): 1000 | 0.001 | null {
  const near = (factor: number) =>
    reported.every((value, i) => {
      const other = expected[i] ?? null;
      return value !== null && other !== null && Math.abs(value / (other * factor) - 1) <= FACTOR_WITHIN;
    });
  return near(1000) ? 1000 : near(0.001) ? 0.001 : null;
}

/** Whether the definitions say that there is such a figure; of E2E they always say it. */
const isStated = (stated: Definitions, metric: Metric): boolean =>
  metric === 'e2e' || stated[metric] !== 'none';

/** Why no pass has any figure of a metric; null where one has. */
function absentIn(passes: readonly Pass[], metric: Metric): string | null {
  const summaries = passes.map((pass) => pass.reported[metric]);
  const given = summaries.some((summary) => STATISTICS.some((name) => statistic(summary, name) !== null));
  return given ? null : (summaries[0]?.absent ?? 'no reason given');
}

function checkMetric(passes: readonly Pass[], stated: Definitions, metric: Metric): DefinitionCheck {
  const reported = passes.map((pass) => pass.reported[metric].p50_ms);
  const of = (change: Partial<Definitions>) =>
    passes.map((pass) => median(pass, { ...stated, ...change }, metric));
  const expected = of({});
  const difference = worst(reported, expected);
  const base = {
    metric,
    reported_p50_ms: reported,
    expected_p50_ms: expected,
    difference_ms: difference,
    fits: [],
  };
  if (reported.every((value) => value === null)) {
    const absent = isStated(stated, metric) ? absentIn(passes, metric) : null;
    return absent === null
      ? { ...base, verdict: 'not given' }
      : { ...base, verdict: 'stated but not given', absent };
  }
  const fitting = (change: Partial<Definitions>): boolean => {
    const off = worst(reported, of(change));
    return off !== null && Math.abs(off) <= TOLERANCE_MS[metric];
  };
  if (fitting({})) return { ...base, verdict: 'agrees' };
  // Before other definitions: a TTFT in seconds taken for milliseconds is as small as one of the head.
  const factor = factorOf(reported, expected);
  if (factor !== null) return { ...base, verdict: 'none fits', factor };
  const fits = variants(stated, metric).filter(fitting);
  const fewest = Math.min(...fits.map((change) => Object.keys(change).length));
  const plain = fits.filter((change) => Object.keys(change).length === fewest);
  if (expected.every((value) => value === null))
    return { ...base, verdict: 'given but not stated', fits: plain };
  return { ...base, verdict: plain.length > 0 ? 'another definition' : 'none fits', fits: plain };
}

/** Checks every metric over the passes. */
export const checkDefinitions = (passes: readonly Pass[], stated: Definitions): DefinitionCheck[] =>
  METRICS.map((metric) => checkMetric(passes, stated, metric));
