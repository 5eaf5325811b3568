/** What the serving benchmarks that descend from vLLM's print alike: statistics under `<statistic>_<metric>_ms`, and errors as text. */
import { absent, type Summary } from '../../src/measure/metrics.ts';
import type { ClientRecord } from '../contract.ts';
import { figure, summarize } from './figures.ts';

/** How a client names the median. */
export type MedianName = 'p50' | 'median';

/** Schema fields of the statistics of the given metrics; each may be missing or not finite. */
export const printedFields = (metrics: readonly string[], median: MedianName) =>
  Object.fromEntries(
    metrics.flatMap((name) =>
      ['mean', median, 'p90', 'p99'].map((statistic) => [`${statistic}_${name}_ms`, figure] as const),
    ),
  );

/** A metric's row. numpy's mean of nothing is printed as 0.0 here, so a row without values is absent whatever it says. */
export function printedRow(
  result: object,
  name: string,
  median: MedianName,
  n: number | null,
  why: string,
): Summary {
  if (n === 0) return absent(why);
  const printed = result as Readonly<Record<string, number | null>>;
  const at = (statistic: string) => printed[`${statistic}_${name}_ms`];
  return summarize(
    { n, mean: at('mean'), p50: at(median), p90: at('p90'), p99: at('p99') },
    'ms',
    'it printed no such figure',
  );
}

/** A traceback's last line says what happened; a plain message is one line anyway, or empty. */
export const lastLine = (text = ''): string =>
  text.trimEnd().split('\n').at(-1)!.trim().slice(0, 200) || 'no reason given';

/** Lists, one entry a request, in the order in which they were sent. Seconds; a failed request's are zeros, or what it had before. */
export interface RequestLists {
  readonly ttfts?: readonly (number | null)[] | undefined;
  readonly itls?: readonly (readonly (number | null)[])[] | undefined;
  readonly output_lens?: readonly (number | null)[] | undefined;
}

/** One record a request. Such lists hold no start times and no latency a request; null where they do not belong together. */
export function recordsInOrder(lists: RequestLists, ok: readonly boolean[] | null): ClientRecord[] | null {
  const { ttfts, itls, output_lens: lengths } = lists;
  if (!ok || !ttfts || !itls || !lengths) return null;
  if ([ttfts, itls, lengths].some((list) => list.length !== ok.length)) return null;
  return ok.map((good, i): ClientRecord => {
    const ttft = ttfts[i] ?? null;
    const gaps = itls[i]!.filter((gap): gap is number => gap !== null).map((gap) => gap * 1000);
    return {
      requestId: null,
      responseId: null,
      startNs: null,
      ok: good,
      ttftMs: good && ttft !== null ? ttft * 1000 : null,
      e2eMs: null,
      itlMs: good ? gaps : null,
      outputTokens: good ? (lengths[i] ?? null) : null,
    };
  });
}

/** How many values stand behind a row: answers of several tokens for TPOT, gaps for ITL; null without records. */
export const countsOf = (records: readonly ClientRecord[] | null) => ({
  several: records?.filter((record) => (record.outputTokens ?? 0) > 1).length ?? null,
  gaps: records?.reduce((sum, record) => sum + (record.itlMs?.length ?? 0), 0) ?? null,
});
