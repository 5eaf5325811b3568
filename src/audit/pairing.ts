/** A client's records joined with the ledger, and the bias of each request. Pure. */
import type { ClientFacts, ClientRecord, ClientReport } from '../../adapters/contract.ts';
import { blocksFor, equalBlocks } from '../measure/blocks.ts';
import { type MetricValues, metricValues } from '../measure/expected.ts';
import type { Ledger } from '../measure/ledger.ts';
import { METRICS, type Metric } from '../measure/metrics.ts';
import { type Differences, pairedDifferences } from '../measure/pairs.ts';
import { mean, quantileSorted } from '../measure/quantile.ts';
import { trialFigures } from '../measure/trial-interval.ts';
import { type Join, joinRecords } from '../truth/join.ts';
import type { Joined, TrialBias } from './document.ts';

type Facts = Pick<ClientFacts, 'joins' | 'definitions'>;
type PairedFigures = Pick<
  TrialBias,
  'paired_ms' | 'paired_low_ms' | 'paired_high_ms' | 'paired_reason' | 'paired_worst_tenth_ms'
>;

export const NO_PAIR: PairedFigures = {
  paired_ms: null,
  paired_low_ms: null,
  paired_high_ms: null,
  paired_reason: null,
};

export interface Pairing {
  readonly joined: Joined;
  /** For each metric that has pairs the figures in the order of STATISTICS. */
  readonly figures: ReadonlyMap<Metric, readonly PairedFigures[]>;
  /** The records in order of their start, and for each its row of the ledger, or −1. */
  readonly records: readonly ClientRecord[];
  readonly row: Int32Array;
}

const QUANTILES = [0.5, 0.9, 0.99] as const;

/** A token cannot be seen before it was written: more than this much earlier, ms, and the pair is none. */
const IMPOSSIBLE_MS = -1;
/** Of pairs made by order this share may look impossible (two neighbours that changed places); beyond it the order does not hold. */
const MOST_IMPOSSIBLE = 0.01;

function figuresOf({ values, record }: Differences, records: number): PairedFigures[] | null {
  if (values.length === 0) return null;
  const blocks = blocksFor(records);
  const place = equalBlocks(records, Math.max(1, blocks));
  const blockOf = record.map((k) => place[k]!);
  const tenths = worstTenth(values);
  return trialFigures({ values, blockOf }, null, blocks, QUANTILES).map(({ point, interval, reason }, s) => ({
    paired_ms: point,
    paired_low_ms: interval?.low ?? null,
    paired_high_ms: interval?.high ?? null,
    paired_reason: reason,
    paired_worst_tenth_ms: tenths?.[s] ?? null,
  }));
}

const TENTHS = 10;

/** For each statistic the one of the tenths of a trial in which it is farthest from zero; null of fewer than ten values a tenth. */
function worstTenth(values: Float64Array): number[] | null {
  if (values.length < TENTHS * 10) return null;
  const cut = equalBlocks(values.length, TENTHS);
  const parts = Array.from({ length: TENTHS }, (_, t) => values.filter((_, i) => cut[i] === t).sort());
  const of = parts.map((part) => [mean(part), ...QUANTILES.map((p) => quantileSorted(part, p))]);
  return of[0]!.map((_, s) =>
    of.map((row) => row[s]!).reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most)),
  );
}

/** A join by order is only as good as the order: what it makes of the answers' ends must be possible. */
function checkOrder(join: Join, records: readonly ClientRecord[], values: MetricValues, facts: Facts): Join {
  if (join.by !== 'connectionOrder') return join;
  const broken = (['ttft', 'e2e'] as const)
    .map((metric) => {
      const { values: all } = pairedDifferences(records, join.row, values, metric, facts.definitions);
      return { metric, all: all.length, impossible: all.filter((one) => one < IMPOSSIBLE_MS).length };
    })
    .find(({ all, impossible }) => impossible > MOST_IMPOSSIBLE * all);
  if (broken === undefined) return join;
  return {
    by: null,
    row: join.row.map(() => -1),
    joined: 0,
    reason: `joined by order, ${broken.impossible} of ${broken.all} answers would have been seen before they were written (${broken.metric}): the order does not hold`,
  };
}

/** Joins a client's records with the rows from `first` on; null where it keeps none. */
export function pair(ledger: Ledger, facts: Facts, first: number, report: ClientReport): Pairing | null {
  if (report.records === null) return null;
  const records = report.records.toSorted((a, b) => (a.startNs ?? 0) - (b.startNs ?? 0));
  const values = metricValues(ledger, facts.definitions, first);
  const join = checkOrder(joinRecords(records, ledger, first, facts.joins), records, values, facts);
  const figures = new Map<Metric, PairedFigures[]>();
  if (join.joined > 0)
    for (const metric of METRICS) {
      const differences = pairedDifferences(records, join.row, values, metric, facts.definitions);
      const row = figuresOf(differences, records.length);
      if (row !== null) figures.set(metric, row);
    }
  const arrived = ledger.rows - first;
  return {
    joined: {
      by: join.by,
      records: records.length,
      joined: join.joined,
      share: arrived === 0 ? 0 : Math.min(1, join.joined / arrived),
      reason: join.reason,
    },
    figures,
    records,
    row: join.row,
  };
}
