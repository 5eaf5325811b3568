/** What a client says of a probe's requests, as figures: from its records, or from its printed summary. Pure. */
import type { ClientRecord, ClientReport } from '../../../adapters/contract.ts';
import { M } from '../../../probes/kit/profile.ts';
import type { Definitions } from '../../measure/definitions.ts';
import type { Slack } from '../../measure/probe/figures.ts';
import type { Given } from '../../measure/probe/judged.ts';
import { mean, quantileSorted } from '../../measure/quantile.ts';

/** Beyond this it is no delay of the surroundings any more, but one that other cells should show, too. */
const MOST_SLACK_MS = 25;

const present = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null && Number.isFinite(value)) as number[];

const median = (values: readonly (number | null)[]): number | null => {
  const all = present(values);
  return all.length === 0 ? null : quantileSorted(Float64Array.from(all).sort(), 0.5);
};

const meanOf = (values: readonly (number | null)[]): number | null => {
  const all = present(values);
  return all.length === 0 ? null : mean(all);
};

/** From first token to last by a record's own gaps, ms. */
const decode = ({ itlMs }: ClientRecord): number | null =>
  itlMs === null || itlMs.length === 0 ? null : itlMs.reduce((sum, gap) => sum + gap, 0);

/** TPOT of a record by the client's own definition; null where it has none, or its record lacks what it takes. */
function tpot(record: ClientRecord, definitions: Definitions): number | null {
  const { e2eMs, ttftMs, outputTokens } = record;
  if (definitions.tpot === 'none' || outputTokens === null || outputTokens < 2) return null;
  const between = definitions.tpot === 'betweenTokens' ? decode(record) : null;
  if (between !== null) return between / (outputTokens - 1);
  return definitions.tpot === 'betweenTokens' || e2eMs === null || ttftMs === null
    ? null
    : (e2eMs - ttftMs) / (outputTokens - 1);
}

function ntpot(record: ClientRecord, definitions: Definitions): number | null {
  const { e2eMs, outputTokens } = record;
  if (definitions.ntpot !== 'standard' || outputTokens === null || outputTokens < 1 || e2eMs === null)
    return null;
  return e2eMs / outputTokens;
}

/**
 * Figures of single requests. Medians, so that one stall of the machine decides nothing; the mean only where gaps are pooled.
 * @param records one a request; null where the client counts the request as failed.
 */
export function recordFigures(records: readonly (ClientRecord | null)[], definitions: Definitions): Given {
  const done = records.filter((record): record is ClientRecord => record?.ok === true);
  const n = records.length;
  const gaps = done.flatMap(({ itlMs }) => itlMs ?? []);
  return {
    success: n === 0 ? null : done.length / n,
    tokens: meanOf(done.map(({ outputTokens }) => outputTokens)),
    'ttft p50': definitions.ttft === 'none' ? null : median(done.map(({ ttftMs }) => ttftMs)),
    'itl mean': meanOf(gaps),
    'itl p50': median(gaps),
    'tpot p50': median(done.map((record) => tpot(record, definitions))),
    'ntpot p50': median(done.map((record) => ntpot(record, definitions))),
    'e2e p50': median(done.map(({ e2eMs }) => e2eMs)),
  };
}

/** Figures as printed, over a run of which `arrived` requests arrived: a client may count failures that sent nothing. */
export function printedFigures(report: ClientReport, arrived: number): Given {
  const { metrics, completed, failed, outputTokens } = report;
  const n = Math.max(arrived, (completed ?? 0) + (failed ?? 0));
  const of = (name: keyof typeof metrics): Given => ({
    [`${name} mean`]: metrics[name].mean_ms,
    [`${name} p50`]: metrics[name].p50_ms,
  });
  return {
    success: completed === null ? null : completed / n,
    failures: failed === null ? null : failed / n,
    tokens: outputTokens === null || completed === null || completed === 0 ? null : outputTokens / completed,
    ...of('ttft'),
    ...of('itl'),
    ...of('tpot'),
    ...of('ntpot'),
    ...of('e2e'),
  };
}

/** How much longer than the base profile a client's medians of it are, ms; null where it has no such records. */
export function slackOf(records: readonly (ClientRecord | null)[], definitions: Definitions): Slack | null {
  const figures = recordFigures(records, definitions);
  const e2e = figures['e2e p50'] ?? null;
  if (e2e === null) return null;
  const ttft = definitions.ttft === 'headers' ? null : (figures['ttft p50'] ?? null);
  const over = (got: number, right: number): number => Math.min(MOST_SLACK_MS, Math.max(0, got - right));
  return { ttftMs: ttft === null ? 0 : over(ttft, M.ttftMs!), e2eMs: over(e2e, M.e2eMs) };
}

/** A record less what the client adds to the base profile: what is left is the probe's. */
export const without = (record: ClientRecord, { ttftMs, e2eMs }: Slack): ClientRecord => ({
  ...record,
  ttftMs: record.ttftMs === null ? null : record.ttftMs - ttftMs,
  e2eMs: record.e2eMs === null ? null : record.e2eMs - e2eMs,
});
