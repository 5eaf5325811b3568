/** Puts a sweep's report together. */
import { kneedle } from '../../measure/knee/kneedle.ts';
import type { Knee, Ranged, SweepStep } from '../../measure/knee/types.ts';
import type { LoadReport } from '../report.ts';
import type { GoalKneeReport, KneeReport, LatencyKneeReport, RateRange, SweepStepReport } from './report.ts';

/** Requests that must meet the goals for a rate to hold. */
export const LEAST_GOOD_SHARE = 0.99;

const range = (r: Ranged): RateRange => ({ rps: r.value, low_rps: r.low, high_rps: r.high });

/** One step: what its run reported, and what it showed of the server. */
export function stepReport(
  step: SweepStep,
  place: number,
  run: LoadReport,
  more: { readonly elapsedS: number; readonly cutShort: boolean; readonly goodShare: number | null },
): SweepStepReport {
  const { figures } = step;
  const { ttft, e2e } = run.from_scheduled;
  return {
    step: place,
    purpose: step.purpose,
    started_at: run.started_at,
    elapsed_s: more.elapsedS,
    rate_rps: step.rateRps,
    duration_s: step.durationS,
    requests: figures.requests,
    offered_rps: run.rate.scheduled_rps,
    sent_rps: figures.sentRps,
    completed_rps: figures.completedRps,
    failed_share: figures.failedShare,
    ttft_p50_ms: ttft.over_all.p50_ms,
    ttft_p99_ms: ttft.over_all.p99_ms,
    e2e_p50_ms: e2e.over_all.p50_ms,
    e2e_p99_ms: e2e.over_all.p99_ms,
    good_share: more.goodShare,
    in_flight_at_end: figures.inFlightAtEnd,
    backlog: figures.backlogRps === null ? null : range(figures.backlogRps),
    plateau:
      figures.plateau === null
        ? null
        : {
            ...range(figures.plateau),
            completions: figures.plateau.completions,
            from_s: figures.plateau.fromS,
            to_s: figures.plateau.toS,
          },
    verdict: figures.verdict,
    why: figures.why,
    cut_short: more.cutShort,
    warnings: run.warnings.map(({ code }) => code),
  };
}

export function kneeReport(knee: Knee): KneeReport {
  const bracket = { stable_rps: knee.bracket.stableRps, overloaded_rps: knee.bracket.overloadedRps };
  if (knee.state === 'found')
    return {
      state: 'found',
      rps: knee.rps.value,
      low_rps: knee.rps.low,
      high_rps: knee.rps.high,
      basis: knee.basis,
      ...bracket,
      notes: knee.notes,
    };
  return {
    state: knee.state,
    rps: null,
    low_rps: null,
    high_rps: null,
    basis: null,
    ...bracket,
    notes: [],
    absent: knee.why,
  };
}

/** By goals: they must hold at every rate up to the highest that holds. Null without goals. */
export function goalKnee(steps: readonly SweepStepReport[], goals: readonly string[]): GoalKneeReport | null {
  if (goals.length === 0) return null;
  const known = steps
    .filter((s) => s.good_share !== null && s.verdict !== 'clientLimited')
    .sort((a, b) => a.sent_rps - b.sent_rps);
  const failing = known.findIndex((s) => s.good_share! < LEAST_GOOD_SHARE);
  const holding = failing < 0 ? known : known.slice(0, failing);
  const base = {
    goals,
    least_good_share: LEAST_GOOD_SHARE,
    holds_rps: holding.at(-1)?.sent_rps ?? null,
    fails_rps: failing < 0 ? null : known[failing]!.sent_rps,
  };
  if (known.length === 0) return { ...base, absent: 'no step says how many requests met the goals' };
  if (holding.length === 0) return { ...base, absent: 'the goals were not met at the lowest rate' };
  if (failing < 0) return { ...base, absent: 'the goals were met at every rate' };
  return base;
}

/** Kneedle on p99 of TTFT, or of E2E where answers are not streamed. */
export function latencyKnee(steps: readonly SweepStepReport[]): LatencyKneeReport {
  const usable = steps.filter(({ verdict }) => verdict !== 'clientLimited');
  const metric = usable.some((s) => s.ttft_p99_ms !== null) ? 'ttft_p99_ms' : 'e2e_p99_ms';
  const points = usable.flatMap((s) =>
    s[metric] === null ? [] : [{ x: s.sent_rps, y: s[metric] as number }],
  );
  const found = kneedle(points);
  const method = 'Kneedle (Satopää et al. 2011), S = 1';
  return 'x' in found
    ? { method, metric, rps: found.x }
    : { method, metric, rps: null, absent: found.absent };
}
