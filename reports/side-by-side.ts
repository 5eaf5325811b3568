/**
 * Clients compared with each other, where no truth is there to compare them with: figures as reported, like with like. Clients that
 * mean the same by a figure stand together; where their clocks start is named beside each, since that is part of what differs.
 */
import type { Definitions } from '../adapters/contract.ts';
import type { AuditDocument } from '../src/audit/document.ts';
import type { Metric, Statistic } from '../src/measure/metrics.ts';
import { METRIC_LABEL, ms, rate, signedMs } from './format.ts';
import { findingFor, ratesOf, rateVerdict } from './rate-verdict.ts';
import { oneLine } from './text.ts';

export interface Compared {
  readonly client: string;
  readonly reported_ms: number;
  /** More than the lowest of its group. */
  readonly more_ms: number;
  readonly t0: Definitions['t0'];
}

/** Clients that define a figure alike, at one rate, lowest first. */
export interface Comparison {
  readonly rate_rps: number;
  readonly metric: Metric;
  readonly statistic: Statistic;
  /** What they all mean by it. */
  readonly definition: string;
  readonly clients: readonly Compared[];
}

const FIGURES: readonly (readonly [Metric, Statistic])[] = [
  ['ttft', 'p50'],
  ['ttft', 'p99'],
  ['tpot', 'mean'],
  ['e2e', 'p50'],
  ['e2e', 'p99'],
];

const TTFT = {
  firstContent: 'to the first content',
  firstChunk: 'to the first chunk, even an empty one',
  headers: 'to the response head',
  none: 'not given',
} as const;
const TPOT = {
  standard: '(E2E − TTFT)/(n − 1)',
  betweenTokens: '(last − first token)/(n − 1)',
  none: 'not given',
} as const;
const END = { lastToken: 'to the last token', responseEnd: 'to the end of the response' } as const;

function meaning(metric: Metric, d: Definitions): string {
  if (metric === 'ttft') return TTFT[d.ttft];
  if (metric === 'e2e') return END[d.end];
  // A standard TPOT inherits what its E2E and its TTFT mean.
  return d.tpot === 'standard' ? `${TPOT.standard}, ${END[d.end]}` : TPOT[d.tpot];
}

/** Every figure that two clients or more define alike, by rate, of those that sent what they were asked. */
export function comparisons(document: AuditDocument): readonly Comparison[] {
  return ratesOf(document).flatMap((rate_rps) =>
    FIGURES.flatMap(([metric, statistic]) => {
      const groups = new Map<string, { client: string; reported_ms: number; t0: Definitions['t0'] }[]>();
      for (const { name, facts } of document.clients) {
        const reported = findingFor(document, name, rate_rps, metric, statistic)?.reported_ms ?? null;
        // A figure of a client that could not send what it was asked belongs to another rate.
        if (reported === null || rateVerdict(document, name, rate_rps).state === 'saturated') continue;
        const key = meaning(metric, facts.definitions);
        groups.set(key, [
          ...(groups.get(key) ?? []),
          { client: name, reported_ms: reported, t0: facts.definitions.t0 },
        ]);
      }
      return [...groups]
        .filter(([, clients]) => clients.length > 1)
        .map(([definition, clients]): Comparison => {
          const sorted = clients.toSorted((a, b) => a.reported_ms - b.reported_ms);
          const lowest = sorted[0]!.reported_ms;
          return {
            rate_rps,
            metric,
            statistic,
            definition,
            clients: sorted.map((one) => ({ ...one, more_ms: one.reported_ms - lowest })),
          };
        });
    }),
  );
}

/** `TTFT p50 at 100/s, to the first content: tare 0.45 ms (from scheduled), asyncio 1.20 (+0.75; from sent)`. */
export function comparisonLine({ rate_rps, metric, statistic, definition, clients }: Comparison): string {
  const figures = clients.map(
    (one, i) =>
      `${oneLine(one.client)} ${ms(one.reported_ms)}${i === 0 ? ' ms' : ''} (${i === 0 ? '' : `${signedMs(one.more_ms)}; `}from ${one.t0})`,
  );
  return `${METRIC_LABEL[metric]} ${statistic} at ${rate(rate_rps)}/s, ${definition}: ${figures.join(', ')}`;
}
