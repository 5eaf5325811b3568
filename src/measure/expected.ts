/**
 * From a ledger to figures: what a client with given definitions would print, were it infinitely fast, i.e. had it sent every
 * request at the instant of its arrival and seen every byte at the instant of its write. With the standard definitions this is
 * `realized`; with the instants that the latency model wanted it is `injected`.
 */
import { type Definitions, STANDARD } from './definitions.ts';
import { LEDGER_OUTCOMES, type Ledger } from './ledger.ts';
import { absent, type MetricTable } from './metrics.ts';
import { summarize, summarizeNearestRank, summarizeNextValue } from './quantile.ts';
import { summarizeRounded } from './rounded.ts';
import { toMs } from './time.ts';

const COMPLETE = LEDGER_OUTCOMES.indexOf('complete');
const REFUSED = LEDGER_OUTCOMES.indexOf('refused');

/** Values of every metric, ms, one a request (ITL: one a gap, with `itlRow` saying whose), over completed requests. */
export interface MetricValues {
  /** Ledger row of each request counted. */
  readonly row: Int32Array;
  readonly ttft: Float64Array;
  readonly e2e: Float64Array;
  /** NaN for a request of one token: TPOT is not defined there. */
  readonly tpot: Float64Array;
  readonly ntpot: Float64Array;
  readonly itl: Float64Array;
  /** Index into `row` of the request that the gap belongs to. */
  readonly itlOf: Int32Array;
}

export type Instants = 'realized' | 'injected';

/** Completed rows from `first` on: those that percentiles over successes are made of. */
export function completedRows(ledger: Ledger, first: number): Int32Array {
  const rows: number[] = [];
  for (let r = first; r < ledger.rows; r++) if (ledger.outcome[r] === COMPLETE) rows.push(r);
  return Int32Array.from(rows);
}

/**
 * Rows in a client's percentiles: the completed ones, and to a client that counts failures those that were answered with another status.
 * A request that was broken off has no answer to count.
 */
function countedRows(ledger: Ledger, definitions: Definitions, first: number): Int32Array {
  if (definitions.failures !== 'counted') return completedRows(ledger, first);
  const rows: number[] = [];
  for (let r = first; r < ledger.rows; r++)
    if (ledger.outcome[r] === COMPLETE || ledger.outcome[r] === REFUSED) rows.push(r);
  return Int32Array.from(rows);
}

/** The target's chat answers are named chatcmpl-…; a text completion has no role. */
const isChat = (ledger: Ledger, r: number): boolean => ledger.responseId[r]?.startsWith('chatcmpl') ?? false;

/** Where a streamed chat's role stands in an event of its own; null where it stands in the first token's, or nowhere. */
function ownRole(ledger: Ledger, r: number): 'early' | 'separate' | null {
  const role = ledger.meta.role ?? 'merged';
  return role !== 'merged' && ledger.streamed[r] === 1 && isChat(ledger, r) ? role : null;
}

/** The values behind every metric under `definitions`. `first` is the first row that counts (after warm-up). */
export function metricValues(
  ledger: Ledger,
  definitions: Definitions,
  first: number,
  instants: Instants = 'realized',
): MetricValues {
  const row = countedRows(ledger, definitions, first);
  const n = row.length;
  const ttft = new Float64Array(n);
  const e2e = new Float64Array(n);
  const tpot = new Float64Array(n);
  const ntpot = new Float64Array(n);
  const itl: number[] = [];
  const itlOf: number[] = [];
  const due = instants === 'injected';
  const firstToken = due ? ledger.firstDueNs : ledger.firstNs;
  const lastToken = due ? ledger.lastDueNs : ledger.lastNs;
  const tokens = due ? ledger.tokenDueNs : ledger.tokenNs;
  for (let i = 0; i < n; i++) {
    const r = row[i]!;
    const t0 = ledger.arrivalNs[r]!;
    if (ledger.outcome[r] !== COMPLETE) {
      // A failure that is counted has an end, and no tokens to speak of.
      ttft[i] = definitions.ttft === 'headers' ? toMs(ledger.headersNs[r]! - t0) : Number.NaN;
      e2e[i] = toMs(ledger.endNs[r]! - t0);
      tpot[i] = Number.NaN;
      ntpot[i] = Number.NaN;
      continue;
    }
    // To whoever counts chunks, a role in an event of its own is the first one, wherever it was written.
    const role = definitions.ttft === 'firstChunk' ? ownRole(ledger, r) : null;
    const atHead = definitions.ttft === 'headers' || role === 'early';
    const start = atHead ? ledger.headersNs[r]! : firstToken[r]!;
    const end = definitions.end === 'responseEnd' && !due ? ledger.endNs[r]! : lastToken[r]!;
    const count =
      definitions.tokenSource === 'requested' ? ledger.askedTokens[r]! : ledger.deliveredTokens[r]!;
    ttft[i] = toMs(start - t0);
    e2e[i] = toMs(end - t0);
    const decode =
      definitions.tpot === 'betweenTokens' ? toMs(lastToken[r]! - firstToken[r]!) : e2e[i]! - ttft[i]!;
    tpot[i] = count > 1 ? decode / (count - 1) : Number.NaN;
    const whole = definitions.ntpot === 'toLastToken' ? toMs(lastToken[r]! - t0) : e2e[i]!;
    ntpot[i] = count > 0 ? whole / count : Number.NaN;
    const from = ledger.tokenStart[r]!;
    const to = ledger.tokenStart[r + 1]!;
    if (role !== null) {
      itl.push(toMs(firstToken[r]! - (role === 'early' ? ledger.headersNs[r]! : firstToken[r]!)));
      itlOf.push(i);
    }
    if (to > from) {
      for (let k = from + 1; k < to; k++) {
        itl.push(toMs(tokens[k]! - tokens[k - 1]!));
        itlOf.push(i);
      }
    } else {
      // One write carried them all: every gap is zero.
      for (let k = 1; k < ledger.deliveredTokens[r]!; k++) {
        itl.push(0);
        itlOf.push(i);
      }
    }
  }
  return { row, ttft, e2e, tpot, ntpot, itl: Float64Array.from(itl), itlOf: Int32Array.from(itlOf) };
}

const defined = (values: Float64Array): Float64Array => values.filter((value) => !Number.isNaN(value));

/** How values are summed up, by the definition of the client's percentiles. */
export const SUMMARIES = {
  interpolated: summarize,
  nextValue: summarizeNextValue,
  nearestRank: summarizeNearestRank,
  rounded: summarizeRounded,
} as const;

/** Summaries of the values, with figures that the definitions lack left out. */
export function tableOf(values: MetricValues, definitions: Definitions): MetricTable {
  const none = 'no request was completed';
  const notGiven = 'this client has no such figure';
  const sum = SUMMARIES[definitions.percentiles ?? 'interpolated'];
  return {
    ttft: definitions.ttft === 'none' ? absent(notGiven) : sum(defined(values.ttft), none),
    itl:
      definitions.itl === 'none'
        ? absent(notGiven)
        : definitions.itl === 'tpot'
          ? sum(defined(values.tpot), 'no request had two tokens')
          : sum(values.itl, 'no request had two tokens'),
    tpot:
      definitions.tpot === 'none' ? absent(notGiven) : sum(defined(values.tpot), 'no request had two tokens'),
    ntpot: definitions.ntpot === 'none' ? absent(notGiven) : sum(defined(values.ntpot), none),
    e2e: sum(values.e2e, none),
  };
}

/** What a client with these definitions would print for this ledger, were it infinitely fast. */
export const expected = (ledger: Ledger, definitions: Definitions, first = 0): MetricTable =>
  tableOf(metricValues(ledger, definitions, first), definitions);

/** What the target really gave, by the standard definitions. */
export const realized = (ledger: Ledger, first = 0): MetricTable => expected(ledger, STANDARD, first);

/** What the latency model wanted, by the standard definitions. */
export const injected = (ledger: Ledger, first = 0): MetricTable =>
  tableOf(metricValues(ledger, STANDARD, first, 'injected'), STANDARD);

/** Emission lateness (realized − injected), ms, of every token that has a stamp of its own, and of first tokens otherwise. */
export function lateness(ledger: Ledger, first = 0): Float64Array {
  const late: number[] = [];
  for (let r = first; r < ledger.rows; r++) {
    const from = ledger.tokenStart[r]!;
    const to = ledger.tokenStart[r + 1]!;
    for (let k = from; k < to; k++) late.push(toMs(ledger.tokenNs[k]! - ledger.tokenDueNs[k]!));
    if (from === to && ledger.firstNs[r]! > 0) late.push(toMs(ledger.firstNs[r]! - ledger.firstDueNs[r]!));
  }
  return Float64Array.from(late).sort();
}
