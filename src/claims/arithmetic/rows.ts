/** What the checks take from a row: a figure by its statistic, the rate of completed requests, the length of a reply. Pure. */
import type { Claim, ClaimFigure, ClaimMetric, ClaimRow, ClaimStatistic } from '../claim.ts';
import { type Digits, over, type Range, rangeOf } from './range.ts';
import { labelOf } from './words.ts';

/** The first of these statistics that the row gives. */
export function figureOf(
  row: ClaimRow,
  metric: ClaimMetric,
  statistics: readonly ClaimStatistic[],
): ClaimFigure | null {
  for (const statistic of statistics) {
    const found = row.figures.find((figure) => figure.metric === metric && figure.statistic === statistic);
    if (found !== undefined) return found;
  }
  return null;
}

/** The mean, or a figure whose statistic is not stated, which is taken as one: it may then limit, never contradict. */
export const meanOf = (row: ClaimRow, metric: ClaimMetric): ClaimFigure | null =>
  figureOf(row, metric, ['mean', null]);

/** A throughput or a count: of the whole, however it is called. */
export const totalOf = (row: ClaimRow, metric: ClaimMetric): ClaimFigure | null =>
  figureOf(row, metric, ['total', null, 'mean']);

/** One line for each figure that is taken as a mean without being called one. */
export const assumptions = (figures: readonly ClaimFigure[]): string[] =>
  figures
    .filter(({ statistic, metric }) => statistic === null && !metric.endsWith('throughput'))
    .map(({ metric }) => `Which statistic ${labelOf(metric, null)} is, is not stated: taken as the mean.`);

/** All are means by the page's own word. */
export const statedMeans = (figures: readonly ClaimFigure[]): boolean =>
  figures.every(({ statistic }) => statistic === 'mean');

/** Tokens of a reply that sums over replies may be divided by: every one has them, or their mean is; null otherwise. */
export const replyLength = (row: ClaimRow, digits: Digits = 'rounded'): Range | null =>
  row.outputTokens !== null && (row.outputLength === 'fixed' || row.outputLength === 'mean')
    ? rangeOf(row.outputTokens, digits)
    : null;

/** Requests a second that were completed. */
export interface CompletedRate {
  readonly figure: ClaimFigure;
  /** As a term of a formula: `777.02 tok/s / 500 tokens`. */
  readonly term: string;
  readonly range: (digits: Digits) => Range;
}

/**
 * By the tokens that came out (output throughput / tokens a reply: exact, whatever the lengths, over one window); else by the requests a
 * second as printed, which may be the offered rate.
 */
export function completedRate(row: ClaimRow): CompletedRate | null {
  const tokens = totalOf(row, 'output_throughput');
  if (tokens !== null && replyLength(row) !== null && row.outputTokens!.value > 0) {
    return {
      figure: tokens,
      term: `${tokens.quantity.text} / ${row.outputTokens!.value} tokens`,
      range: (digits) => over(rangeOf(tokens.quantity, digits), replyLength(row, digits)!),
    };
  }
  const requests = totalOf(row, 'request_throughput');
  if (requests === null) return null;
  return {
    figure: requests,
    term: requests.quantity.text,
    range: (digits) => rangeOf(requests.quantity, digits),
  };
}

/** What says, as the whole answer, that figures are over all of a run, ramp and drain inside. */
export const WHOLE_RUN: readonly string[] = ['whole run', 'the whole run'];

/**
 * Does the page say that its figures are over the whole run? Only by an answer of this list, word for word: free text ("not the whole run",
 * "all requests after warm-up") is for readers, and nothing is contradicted by a guess at what it means.
 */
export const overWholeRun = (claim: Claim): boolean =>
  WHOLE_RUN.includes((claim.measurement.window ?? '').trim().toLowerCase().replace(/\s+/g, ' '));

/**
 * Were all requests of a row completed, by its own counts or by a success rate of 100 %? Then all its statistics are over the same ones.
 */
export function allCompleted(claim: Claim, row: ClaimRow): boolean {
  const [failed, rate] = [totalOf(row, 'failed'), totalOf(row, 'success_rate')];
  if (failed !== null && failed.quantity.value > 0) return false;
  const stated = rate?.quantity ?? claim.measurement.successRate;
  return stated === null ? failed !== null : stated.value === 100;
}

/** Rows of each system, in the page's order. */
export function bySystem(rows: readonly ClaimRow[]): ReadonlyMap<string, readonly ClaimRow[]> {
  const groups = new Map<string, ClaimRow[]>();
  for (const row of rows) groups.set(row.system, [...(groups.get(row.system) ?? []), row]);
  return groups;
}

const sameQuantity = (a: ClaimRow['rateRps'], b: ClaimRow['rateRps']): boolean =>
  a === null ? b === null : b !== null && a.value === b.value;

/** Under the same load, by all that is stated of it: rate, concurrency, lengths. */
export const sameLoad = (a: ClaimRow, b: ClaimRow): boolean =>
  sameQuantity(a.rateRps, b.rateRps) &&
  sameQuantity(a.concurrency, b.concurrency) &&
  sameQuantity(a.inputTokens, b.inputTokens) &&
  sameQuantity(a.outputTokens, b.outputTokens) &&
  a.run === b.run;

/** Pairs of rows under the same load, of different systems. */
export function comparedRows(claim: Claim): readonly (readonly [ClaimRow, ClaimRow])[] {
  return claim.rows.flatMap((a, at) =>
    claim.rows
      .slice(at + 1)
      .filter((b) => a.system !== b.system && sameLoad(a, b))
      .map((b) => [a, b] as const),
  );
}

/** Headlines that stand on one of these figures. */
export const headlinesOn = (claim: Claim, figures: readonly string[]): string[] =>
  claim.headlines
    .filter(({ of, over: base }) => [of, base].some((id) => id !== null && figures.includes(id)))
    .map(({ id }) => id);
