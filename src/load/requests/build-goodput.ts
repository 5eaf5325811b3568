/** Goodput for the report. */
import { formatSlo, limitsOf, SLO_METRICS, type Slo } from '../../measure/load/slo.ts';
import { NANOS_PER_MS } from '../../measure/time.ts';
import { OUTCOME } from '../outcome.ts';
import type { GoodputFigures, GoodputReport, SloReport } from './report.ts';
import { addSums, type StratumSums } from './stratum.ts';

/** A kind of requests, how many were scheduled, and what became of them. */
export interface Judged {
  readonly name: string;
  readonly scheduled: number;
  readonly sums: StratumSums;
}

function figures(
  { scheduled, sums }: Omit<Judged, 'name'>,
  slos: readonly SloReport[],
  overS: number | null,
): GoodputFigures {
  const complete = sums.outcomes[OUTCOME.complete]!;
  // None good is 0 a second over any time.
  const perSecond = (n: number): number | null => (n === 0 ? 0 : overS === null ? null : n / overS);
  const requests = perSecond(sums.good);
  return {
    scheduled,
    good: sums.good,
    share_of_scheduled: scheduled === 0 ? null : sums.good / scheduled,
    share_of_complete: complete === 0 ? null : sums.good / complete,
    not_complete: scheduled - complete,
    requests_per_second: requests,
    tokens_per_second: perSecond(sums.goodTokens),
    completed_per_second: perSecond(complete),
    without_tpot: sums.withoutTpot,
    slos,
    ...(requests === null ? { absent: 'all was at one instant: there is no rate' } : {}),
  };
}

/** The goals that hold for some request of these sums; `limits` gives a goal's limit, or null where it is not one for all. */
const goals = (
  slos: readonly Slo[],
  sums: StratumSums,
  limit: (metric: Slo['metric']) => number | null,
): SloReport[] =>
  SLO_METRICS.flatMap((metric, i) =>
    slos.some((slo) => slo.metric === metric)
      ? [{ metric, limit_ms: limit(metric), missed: sums.missed[i]!, missed_alone: sums.missedAlone[i]! }]
      : [],
  );

/** Goodput of the run, and by task where requests are told apart. `overS`: the time that all rates are over, s, so that those of tasks add up; null: there is none. */
export function goodputOf(
  slos: readonly Slo[],
  from: 'scheduled' | 'sent',
  strata: readonly Judged[],
  overS: number | null,
  byTask: boolean,
): GoodputReport {
  const all = addSums(strata.map(({ sums }) => sums));
  const scheduled = strata.reduce((n, stratum) => n + stratum.scheduled, 0);
  const general = (metric: Slo['metric']): number | null =>
    slos.some((slo) => slo.metric === metric && slo.task !== null)
      ? null
      : slos.find((slo) => slo.metric === metric)!.limitMs;
  return {
    ...figures({ scheduled, sums: all }, goals(slos, all, general), overS),
    goals: slos.map(formatSlo),
    from,
    over_s: overS,
    by_task: byTask
      ? strata.map((stratum) => {
          const limits = limitsOf(slos, stratum.name);
          const own = slos.filter(({ metric }) => Number.isFinite(limits[metric]));
          return {
            name: stratum.name,
            ...figures(
              stratum,
              goals(own, stratum.sums, (metric) => limits[metric] / NANOS_PER_MS),
              overS,
            ),
          };
        })
      : null,
  };
}
