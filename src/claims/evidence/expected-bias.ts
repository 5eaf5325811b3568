/**
 * The bias to expect in a claim's latencies, by audits of its client on this machine: an interval where its load lies within what was audited,
 * else the reason. Never a corrected figure: only what is known of the claim's own conditions is `bounded`. Pure.
 */
import { METRICS, type Metric, STATISTICS, type Statistic } from '../../measure/metrics.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import type { ExpectedBias, LocalAudit } from '../evidence-types.ts';
import { adapterNamed, normalName } from './aliases.ts';
import { equalWork, hullOf, ratesAround } from './bracket.ts';
import { type Conditions, conditionsOf, versionOf } from './conditions.ts';
import { type Point, pointsAt } from './point.ts';
import { type RowLoad, rowLoad } from './row-load.ts';
import { utilizationWords } from './utilization.ts';

const isLatency = (figure: ClaimFigure): figure is ClaimFigure & { readonly metric: Metric } =>
  (METRICS as readonly string[]).includes(figure.metric);

const rate = (value: number): string => String(Number(value.toPrecision(4)));
const span = ([from, to]: readonly [number, number]): string =>
  from === to ? `${rate(from)}/s` : `${rate(from)} to ${rate(to)}/s`;
const ms = (value: number): string =>
  value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3).replace('-', '−');

/** What must hold of lengths for a figure that is a share of its tokens. */
const BY_TOKENS: readonly Metric[] = ['tpot', 'ntpot'];

interface Asked {
  readonly claim: Claim;
  readonly row: ClaimRow;
  readonly load: RowLoad;
}

interface Candidate {
  readonly local: LocalAudit;
  /** Its client's name there. */
  readonly client: string;
  readonly conditions: Conditions;
}

type Evidence = NonNullable<ExpectedBias['audit']>;
const evidenceOf = ({ local, client }: Candidate): Evidence => ({
  folder: local.folder,
  client,
  version: versionOf(local.document.clients.find(({ name }) => name === client)!),
});

/** By one audit. */
function byAudit(
  { row, load }: Asked,
  candidate: Candidate,
  figure: ClaimFigure & { metric: Metric },
): ExpectedBias {
  const { local, client, conditions } = candidate;
  const { document } = local;
  const common = { row: row.id, figure: figure.id, audit: evidenceOf(candidate) };
  const unknown = (reason: string): ExpectedBias => ({ ...common, caveats: [], state: 'unknown', reason });
  if (conditions.refusal !== null) return unknown(conditions.refusal);
  const { statistic, metric } = figure;
  if (statistic === null) return unknown('The page does not say which statistic the figure is.');
  if (!(STATISTICS as readonly string[]).includes(statistic))
    return unknown(
      `Audits have mean, p50, p90 and p99; the bias of ${statistic} does not follow from those of others.`,
    );
  const audited = document.plan.output_tokens;
  if (BY_TOKENS.includes(metric) && load.outputTokens !== audited)
    return unknown(
      `The figure is a share of its reply’s tokens: ${load.outputTokens} in the claim, ${audited} in the audit. Audit it with --tokens ${Math.round(load.outputTokens)}.`,
    );
  const range = equalWork(load.rps, load.outputTokens, audited);
  const measured = document.rates.filter((one) => one.client === client).map((one) => one.rate_rps);
  const rates = ratesAround(measured, range);
  if (rates === null)
    return unknown(
      `${load.working.join('; ')}: its load is that of ${span(range)} in the audit, which has ${measured.length === 0 ? 'none' : span([Math.min(...measured), Math.max(...measured)])}. Beyond what was audited nothing is said.`,
    );
  const points = pointsAt(document, client, metric, statistic as Statistic, rates);
  if (typeof points === 'string') return unknown(points);
  const hull = hullOf(points)!;
  const definition = definitionLine(points, client, document.plan.latency);
  const limits = [...conditions.limits, ...(definition.isLarge ? [definition.words!] : [])];
  const rho =
    local.profile == null
      ? null
      : utilizationWords(local.profile, load, row.inputTokens === null ? null : row.inputTokens.value);
  const caveats = [
    ...conditions.caveats,
    ...(definition.words === null || definition.isLarge ? [] : [definition.words]),
    ...new Set(points.flatMap((point) => point.caveats)),
    ...(rho === null ? [] : [rho]),
  ];
  const of = `${metric}_${statistic}`;
  const at =
    hull.rates_rps[0] === hull.rates_rps[1]
      ? `at ${rate(hull.rates_rps[0])}/s, which was audited itself`
      : `between ${rate(hull.rates_rps[0])} and ${rate(hull.rates_rps[1])}/s, over all audited rates there`;
  const words =
    `${load.working.join('; ')}. ${client} ${common.audit.version} added ${ms(hull.low_ms)} to ${ms(hull.high_ms)} ms to ${of} here ` +
    `${at} (95 %, ${Math.min(...rates.map((one) => trialsAt(document, client, one)))} repetitions).`;
  const interval = { low_ms: hull.low_ms, high_ms: hull.high_ms, rates_rps: hull.rates_rps, of, words };
  if (limits.length > 0)
    return {
      ...common,
      caveats: [...limits, ...caveats],
      state: 'order of magnitude',
      reason: limits[0]!,
      ...interval,
    };
  const queueing = hullOf(
    points.map((point) => ({
      rate_rps: point.rate_rps,
      low_ms: point.queueing_low_ms,
      high_ms: point.queueing_high_ms,
    })),
  )!;
  return {
    ...common,
    caveats,
    state: 'bounded',
    ...interval,
    queueing_low_ms: queueing.low_ms,
    queueing_high_ms: queueing.high_ms,
  };
}

const trialsAt = (document: LocalAudit['document'], client: string, rps: number): number =>
  document.rates.find((one) => one.client === client && one.rate_rps === rps)?.trials ?? 0;

/** The definition's part as a line of its own; beyond the floor it is the server's delays that it follows, and of another server another. */
function definitionLine(
  points: readonly Point[],
  client: string,
  latency: string,
): { readonly words: string | null; readonly isLarge: boolean } {
  const values = points.map(({ definition_ms }) => definition_ms);
  const isLarge = points.some((point) => Math.abs(point.definition_ms) > (point.floor_ms ?? 0));
  if (values.every((value) => Math.abs(value) < 0.0005)) return { words: null, isLarge: false };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const part = ms(least) === ms(most) ? ms(least) : `${ms(least)} to ${ms(most)}`;
  return {
    words: `Of it ${part} ms is the definition of ${client}, not its delay${isLarge ? `: it follows the server’s own delays (${latency} here), and with another server it is another` : ''}.`,
    isLarge,
  };
}

const RANK: Readonly<Record<ExpectedBias['state'], number>> = {
  bounded: 0,
  'order of magnitude': 1,
  unknown: 2,
};
const width = (one: ExpectedBias): number =>
  one.state === 'unknown' ? Number.POSITIVE_INFINITY : one.rates_rps[1] / one.rates_rps[0];

/** The most that is known: of the same conditions, by the narrowest bracket, by the newest audit. */
function best(found: readonly (readonly [ExpectedBias, string])[]): ExpectedBias | undefined {
  return [...found].sort(([a, fromA], [b, fromB]) => {
    if (RANK[a.state] !== RANK[b.state]) return RANK[a.state] - RANK[b.state];
    const [wide, wideB] = [width(a), width(b)];
    return wide === wideB ? (fromA < fromB ? 1 : -1) : wide - wideB;
  })[0]?.[0];
}

const command = (client: string, { load, row, claim }: Asked): string => {
  const { arrivals } = claim.measurement;
  return (
    `tare audit --client ${client} --rate ${[...new Set(load.rps.map((rps) => Math.max(1, Math.round(rps))))].join(',')} --tokens ${Math.round(load.outputTokens)}` +
    `${row.inputTokens === null ? '' : ` --prompt-tokens ${Math.round(row.inputTokens.value)}`}${arrivals === 'poisson' ? ' --arrivals poisson' : ''}`
  );
};

function ofRow(claim: Claim, row: ClaimRow, client: string, audits: readonly LocalAudit[]): ExpectedBias[] {
  const figures = row.figures.filter(isLatency);
  if (figures.length === 0) return [];
  const whole = (reason: string): ExpectedBias[] => [
    { row: row.id, figure: null, audit: null, caveats: [], state: 'unknown', reason },
  ];
  const read = rowLoad(row);
  if ('reason' in read) return whole(read.reason);
  const asked: Asked = { claim, row, load: read.load };
  const candidates = audits.flatMap((local): Candidate[] => {
    const entry = local.document.clients.find(
      ({ name, found }) => found.state === 'found' && normalName(name) === normalName(client),
    );
    return entry === undefined
      ? []
      : [
          {
            local,
            client: entry.name,
            conditions: conditionsOf(claim, row, local, entry.name, read.load),
          },
        ];
  });
  if (candidates.length === 0)
    return whole(
      adapterNamed(client) === null
        ? `No audit of this machine has ${client}, and Tare knows no client of that name, so that it names no command`
        : `No audit of this machine has ${client}. Run ${command(client, asked)}`,
    );
  const found = figures.map(
    (figure) =>
      best(
        candidates.map((one) => [byAudit(asked, one, figure), one.local.document.started_at] as const),
      ) as ExpectedBias,
  );
  const [first] = found;
  // One reason for all of a row's figures is said once.
  if (
    first?.state === 'unknown' &&
    found.every((one) => one.state === 'unknown' && one.reason === first.reason)
  )
    return [{ ...first, figure: null }];
  return found;
}

/**
 * For every row with latencies, what audits of this machine say of its client's bias: a figure a line, or one line where the same
 * reason holds for the whole row. Empty where the claim names no client.
 */
export function expectedBias(claim: Claim, audits: readonly LocalAudit[]): readonly ExpectedBias[] {
  const { name } = claim.measurement.client;
  if (name === null) return [];
  const client = adapterNamed(name) ?? normalName(name);
  return claim.rows.flatMap((row) => ofRow(claim, row, client, audits));
}
