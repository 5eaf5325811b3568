/** How many requests a second a row's client had to handle, by what the row states: as asked, or as its throughput implies. Pure. */
import type { ClaimFigure, ClaimMetric, ClaimRow, Quantity } from '../claim.ts';

export interface RowLoad {
  /** Requests a second: from the least to the most that the row allows. */
  readonly rps: readonly [number, number];
  readonly outputTokens: number;
  /** The rate is one that the claim asked for, or follows from throughput (a closed loop). */
  readonly by: 'rate' | 'throughput';
  /** Steps, figures put in. */
  readonly working: readonly string[];
}

/** Fewer completed than this share of what was asked: the client handled the smaller number. */
const COMPLETED_ENOUGH = 0.95;

const figure = (row: ClaimRow, metric: ClaimMetric): ClaimFigure | undefined =>
  row.figures.find((one) => one.metric === metric && (one.statistic === null || one.statistic === 'total'));

/** About four digits: `35.71`. */
const short = (value: number): string => String(Number(value.toPrecision(4)));

interface Implied {
  readonly rps: readonly [number, number];
  readonly working: string;
}

const over = (a: Quantity, b: Quantity): readonly [number, number] => [
  (a.value - a.half) / (b.value + b.half),
  (a.value + a.half) / Math.max(b.value - b.half, Number.MIN_VALUE),
];

/** Completed requests a second, by the row's own throughput. */
function completed(row: ClaimRow): Implied | null {
  const requests = figure(row, 'request_throughput')?.quantity;
  if (requests !== undefined)
    return {
      rps: [requests.value - requests.half, requests.value + requests.half],
      working: `request throughput ${requests.text}`,
    };
  const tokens = figure(row, 'output_throughput')?.quantity;
  const each = row.outputTokens;
  if (tokens !== undefined && each !== null && each.value > 0 && row.outputLength !== 'max')
    return {
      rps: over(tokens, each),
      working: `${tokens.text} / ${each.text} tokens a request = ${short(tokens.value / each.value)} requests/s`,
    };
  return null;
}

/** The load of a row, or in a sentence what is missing for it. */
export function rowLoad(row: ClaimRow): { readonly load: RowLoad } | { readonly reason: string } {
  const tokens = row.outputTokens;
  if (tokens === null || tokens.value <= 0)
    return {
      reason: 'The row does not state how many tokens a reply has, and the client’s work is by the token.',
    };
  if (row.outputLength === 'max')
    return {
      reason: `The row states only the most tokens that a reply may have (${tokens.text}), not how many came.`,
    };
  const asked = row.rateRps;
  if (asked !== null && !Number.isFinite(asked.value))
    return {
      reason:
        'All requests at once: the client’s delay then depends on the burst, which no audit at a rate bounds.',
    };
  const done = completed(row);
  const load = (rps: RowLoad['rps'], by: RowLoad['by'], ...working: string[]) => ({
    load: { rps, by, outputTokens: tokens.value, working },
  });
  if (asked !== null) {
    const less = done !== null && done.rps[1] < COMPLETED_ENOUGH * asked.value;
    return less
      ? load(
          [done.rps[0], asked.value],
          'rate',
          `asked: ${asked.text}`,
          `${done.working}, less than was asked: anything from the one to the other`,
        )
      : load([asked.value, asked.value], 'rate', `asked: ${asked.text}`);
  }
  if (done !== null) return load(done.rps, 'throughput', done.working);
  if (row.requests !== null && row.durationS !== null && row.durationS.value > 0)
    return load(
      over(row.requests, row.durationS),
      'throughput',
      `${row.requests.text} requests / ${row.durationS.text} = ${short(row.requests.value / row.durationS.value)} requests/s`,
    );
  return { reason: 'The row states neither a rate nor a throughput that one would follow from.' };
}
