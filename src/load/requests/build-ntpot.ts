/** NTPOT's two forms for the report. */
import { ntpotForms } from '../../measure/load/ntpot.ts';
import { NANOS_PER_MS } from '../../measure/time.ts';
import type { DurationHistogram } from '../histogram.ts';
import type { AggregateNtpot, NtpotForms, NtpotReport } from './report.ts';

/** What it is made of: histograms of the requests, and sums over those that were complete. */
export interface NtpotParts {
  readonly complete: number;
  readonly usageTokens: number;
  readonly withUsage: number;
  readonly eventTokens: number;
  /** By usage where there is one, else by events. */
  readonly tokens: number;
  readonly askedOutputTokens: number;
  readonly ttftShareScheduled: number;
  readonly ttftShareSent: number;
  readonly series: Readonly<
    Record<'ttftScheduled' | 'ttftSent' | 'ntpotScheduled' | 'ntpotSent' | 'tpot', DurationHistogram>
  >;
}

/** The source of n in a run's TPOT and NTPOT. */
export const tokenSource = (complete: number, withUsage: number): 'usage' | 'events' | 'mixed' | 'none' =>
  complete === 0 ? 'none' : withUsage === complete ? 'usage' : withUsage === 0 ? 'events' : 'mixed';

const ms = (ns: number): number => Math.round(ns) / NANOS_PER_MS;

/** Mean output tokens by every source that there is; the first is that of the exact form. */
function meanLengths(p: NtpotParts): { source: AggregateNtpot['source']; mean: number }[] {
  const used = tokenSource(p.complete, p.withUsage);
  const means: { source: AggregateNtpot['source']; mean: number }[] = [];
  if (used !== 'none') means.push({ source: used, mean: p.tokens / p.complete });
  if (used !== 'events') means.push({ source: 'events', mean: p.eventTokens / p.complete });
  means.push({ source: 'asked', mean: p.askedOutputTokens / p.complete });
  return means.filter(({ mean }) => mean > 0);
}

function forms(p: NtpotParts, t0: 'Scheduled' | 'Sent', why: string): NtpotReport {
  const ttft = p.series[`ttft${t0}`];
  const exact = p.series[`ntpot${t0}`];
  const tpot = p.series.tpot.count === 0 ? null : p.series.tpot.mean;
  const exactMean = exact.count === 0 ? null : ms(exact.mean);
  if (ttft.count === 0 || exact.count === 0)
    return {
      exact_mean_ms: exactMean,
      ttft_mean_ms: null,
      tpot_mean_ms: null,
      aggregate: [],
      exact_minus_aggregate_ms: null,
      of_unlike_lengths_ms: null,
      of_first_token_ms: null,
      absent: why,
    };
  const means = {
    exact: exact.mean,
    ttftShare: p[`ttftShare${t0}`] / ttft.count,
    ttft: ttft.mean,
    tpot,
  };
  const all = meanLengths(p).map(({ source, mean }) => ({ source, mean, forms: ntpotForms(means, mean) }));
  const [first] = all;
  return {
    exact_mean_ms: exactMean,
    ttft_mean_ms: ms(ttft.mean),
    tpot_mean_ms: tpot === null ? null : ms(tpot),
    aggregate: all.map((a) => ({
      source: a.source,
      output_tokens_mean: a.mean,
      ntpot_ms: ms(a.forms.aggregate),
    })),
    exact_minus_aggregate_ms: ms(first!.forms.exactMinusAggregate),
    of_unlike_lengths_ms: ms(first!.forms.ofLengths),
    of_first_token_ms: ms(first!.forms.ofFirstToken),
    ...(tpot === null
      ? { absent: 'no answer had two tokens: there is no TPOT, and both forms are TTFT alone' }
      : {}),
  };
}

/** Both instants. `why`: why there is no TTFT; `noSchedule`: why nothing has a scheduled instant, null where it has. */
export const ntpotOf = (p: NtpotParts, why: string, noSchedule: string | null): NtpotForms => ({
  from_scheduled: forms(p, 'Scheduled', noSchedule ?? why),
  from_sent: forms(p, 'Sent', why),
});
