/** A trial made by hand: what the target did, and what a client with a given fault would have kept of it. Times in ms. */
import { type Definitions, STANDARD } from '../../../src/measure/definitions.ts';
import type { Evidence, EvidenceRecord } from '../../../src/measure/diagnosis/evidence.ts';
import { METRICS, type Metric, type MetricTable } from '../../../src/measure/metrics.ts';
import { valuesOf } from '../../../src/measure/pairs.ts';
import { summarize } from '../../../src/measure/quantile.ts';
import { uniform } from '../../../src/measure/random.ts';
import { ledgerOf, type Row } from '../ledger-builder.ts';

export interface Made {
  rows: Row[];
  records: (EvidenceRecord & { id: string })[];
}

export const SHAPE = { rateRps: 100, requests: 250, ttftMs: 40, itlMs: 5, tokens: 16, tailMs: 20 };

export interface MakeOptions {
  readonly seed?: number;
  /** Mean of the random delay at every hand-over (to the target, and back), ms. */
  readonly jitterMs?: number;
  readonly together?: boolean;
  readonly refuseEvery?: number;
  readonly breakEvery?: number;
  /** Instants of sending instead of equal gaps. */
  readonly sendAt?: (i: number) => number;
  /** t0 of the i-th latencies; the scheduled instant if left out. */
  readonly t0?: (i: number) => number;
}

/** An honest client's trial. */
export function make(options: MakeOptions = {}): Made {
  const u = uniform(options.seed ?? 1, 99);
  const jitter = (): number => -Math.log(u()) * (options.jitterMs ?? 0.05);
  const rows: Row[] = [];
  const records: Made['records'] = [];
  const { rateRps, requests, ttftMs, itlMs, tokens: n, tailMs } = SHAPE;
  for (let i = 0; i < requests; i++) {
    const due = (i * 1000) / rateRps;
    const sent = options.sendAt?.(i) ?? due;
    const t0 = options.t0?.(i) ?? due;
    const at = sent + jitter();
    const refused = options.refuseEvery !== undefined && i % options.refuseEvery === 3;
    const broken = options.breakEvery !== undefined && i % options.breakEvery === 5;
    const written = broken ? n / 2 : n;
    const tokens = Array.from(
      { length: written },
      (_, k) => ttftMs + (options.together ? 0 : k * itlMs) + 0.02 * u(),
    );
    const seen = tokens.map((token) => at + token + jitter());
    if (options.together) seen.fill(seen[0]!);
    const id = `r${i}`;
    rows.push({
      at,
      headers: 0.1,
      tokens: options.together ? [tokens[0]!] : tokens,
      ...(options.together ? { coalesced: written } : {}),
      end: tokens.at(-1)! + tailMs,
      connection: i % 30,
      requestId: id,
      responseId: `chatcmpl-${i}`,
      ...(refused ? { outcome: 'refused' as const } : broken ? { outcome: 'faultInjected' as const } : {}),
    });
    records.push({
      id,
      ok: !(refused || broken),
      startNs: t0 * 1e6,
      ttftMs: seen[0]! - t0,
      e2eMs: seen.at(-1)! - t0,
      itlMs: seen.slice(1).map((token, k) => token - seen[k]!),
      outputTokens: written,
    });
  }
  return { rows, records };
}

/** What the client prints: of its own records. */
const printedOf = ({ records }: Made, definitions: Definitions): MetricTable => {
  const good = records.filter(({ ok }) => ok);
  const of = (metric: Metric) =>
    summarize(
      good.flatMap((record) => valuesOf(record, metric, definitions)),
      'none',
    );
  return Object.fromEntries(METRICS.map((metric) => [metric, of(metric)])) as unknown as MetricTable;
};

/** The evidence of a trial as an audit would gather it. */
export function evidenceOf(
  made: Made,
  changes: {
    readonly definitions?: Partial<Definitions>;
    readonly failed?: number;
    readonly clock?: 'own' | 'shared';
  } = {},
): Evidence {
  const rows = made.rows.toSorted((a, b) => a.at - b.at);
  const ledger = ledgerOf(rows, { role: 'early' });
  const definitions = { ...STANDARD, ...changes.definitions };
  const at = new Map(rows.map(({ requestId }, r) => [requestId, r]));
  return {
    ledger,
    first: 0,
    workload: { ...SHAPE, arrivals: { kind: 'constant' }, outputTokens: SHAPE.tokens },
    stated: { definitions, connections: 'kept', openLoop: true, constantIsPoisson: false },
    records: made.records,
    row: Int32Array.from(made.records, ({ id }) => at.get(id) ?? -1),
    clockOffsetNs: changes.clock === 'own' ? null : 0,
    printed: {
      metrics: printedOf(made, definitions),
      completed: made.records.filter(({ ok }) => ok).length,
      failed: changes.failed ?? made.records.filter(({ ok }) => !ok).length,
    },
    toleranceMs: 1,
  };
}
