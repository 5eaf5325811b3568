/** A trial held to the tolerance, figure by figure, and the verdict of the whole. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import {
  fewestForHolding,
  judgeBias,
  judgeRate,
  type TrialVerdict,
  worst,
} from '../../measure/envelope/judge.ts';
import type { Purpose } from '../../measure/envelope/tally.ts';
import { allowedMs, type Tolerance } from '../../measure/envelope/tolerance.ts';
import type { Statistic } from '../../measure/metrics.ts';
import { shortfallOf } from '../../measure/shortfall.ts';
import type { Floor, Trial, TrialBias } from '../document.ts';
import { findings } from '../findings.ts';
import { asUnderstood, chanceTolerance, spreadTolerance } from '../outcome.ts';
import type { BiasTerm, EnvelopeTrial, RateTerm, Term } from './document.ts';
import { disturbance, outsideDisturbance, targetCpuShare, targetLimit } from './target-limit.ts';
import { termWords } from './term-words.ts';

export interface JudgeContext {
  readonly tolerance: Tolerance;
  readonly floor: Floor | null;
  readonly facts: Pick<ClientFacts, 'constantIsPoisson'>;
  /** Cores that the client may use. */
  readonly cores: number;
  /** Figures that this client gave at other rates: one that is missing now is not "not given". */
  readonly given: ReadonlySet<string>;
}

const FAILURES = new Set(['clientFailed', 'timedOut', 'unparsable']);

/** One share of the rate, of a trial. */
export interface RateShare {
  readonly of: RateTerm['of'];
  /** 1: as asked. */
  readonly share: number;
  /** What a random process strays by, of this one trial. */
  readonly chance: number;
  /** What answers of unlike lengths may move it by, besides. */
  readonly spread: number;
  readonly rps: number | null;
  /** Too much is out of tolerance as well. */
  readonly twoSided: boolean;
}

/** What arrived, was completed and succeeded, per what was asked, the arrivals first; none where the ledger does not tell. */
export function rateShares(
  trial: Pick<Trial, 'truth' | 'reported' | 'workload'>,
  facts: Pick<ClientFacts, 'constantIsPoisson'>,
): readonly RateShare[] {
  const { truth, reported } = trial;
  if (truth === null || truth.rate_fidelity === null) return [];
  const workload = asUnderstood(trial.workload, facts);
  const { rateRps, requests } = workload;
  const chance = chanceTolerance(workload);
  const failed = reported?.failed ?? 0;
  const counted = failed + (reported?.completed ?? 0);
  const one = { chance: 0, spread: 0, rps: null, twoSided: false };
  return [
    { ...one, of: 'arrivals', share: truth.rate_fidelity, chance, rps: truth.arrival_rps, twoSided: true },
    { ...one, of: 'requests', share: Math.min(1, (truth.outcomes.complete ?? truth.requests) / requests) },
    ...(truth.completion_rps === null
      ? []
      : [
          {
            ...one,
            of: 'completions' as const,
            share: truth.completion_rps / rateRps,
            chance,
            spread: spreadTolerance(truth, workload),
            rps: truth.completion_rps,
          },
        ]),
    ...(counted > 0 ? [{ ...one, of: 'successes' as const, share: 1 - failed / counted }] : []),
  ];
}

/** The share of the rate that is worst; null where the ledger does not tell. */
function rateTerm(trial: Trial, { tolerance, facts }: JudgeContext): RateTerm | null {
  const judged = rateShares(trial, facts).map(({ of, share, chance, spread, rps, twoSided }) => ({
    of,
    share,
    achieved_rps: rps,
    allowed_share: tolerance.rate + chance + spread,
    verdict: judgeRate(share, tolerance.rate, chance + spread, twoSided),
  }));
  const decided = judged.find(({ verdict }) => verdict === 'fails') ?? judged[0];
  return decided === undefined ? null : { name: 'rate', reason: '', ...decided };
}

/** The worst tenth of the paired figure, where only requests are wanting for an interval, and enough are there to hold by. */
function worstTenth(row: TrialBias, statistic: Statistic, requests: number): number | null {
  const p = { mean: null, p50: 0.5, p90: 0.9, p99: 0.99 }[statistic];
  if (p === null || requests < fewestForHolding(p)) return null;
  return row.paired_reason != null && shortfallOf(row.paired_reason, p) !== null
    ? (row.paired_worst_tenth_ms ?? null)
    : null;
}

/** The figures that have a tolerance, and the names of those that the client does not give. */
function biasTerms(trial: Trial, context: JudgeContext): { terms: BiasTerm[]; notGiven: string[] } {
  const found = findings([trial], context.floor);
  const terms: BiasTerm[] = [];
  const notGiven: string[] = [];
  for (const tolerance of context.tolerance.bias) {
    const { metric, statistic } = tolerance;
    const name = `${metric}_${statistic}`;
    const one = found.find((f) => f.metric === metric && f.statistic === statistic);
    if ((one === undefined || one.bias_ms === null) && !context.given.has(name)) {
      notGiven.push(name);
      continue;
    }
    const row = trial.bias.find((b) => b.metric === metric && b.statistic === statistic);
    const why = one?.bias_by === 'pairs' ? row?.paired_reason : row?.within_reason;
    const allowed_ms = allowedMs(tolerance, one?.expected_ms ?? null);
    const judged = judgeBias(
      {
        bias_ms: one?.bias_ms ?? null,
        low_ms: one?.low_ms ?? null,
        high_ms: one?.high_ms ?? null,
        floor_ms: one?.floor_ms ?? null,
        reason: one?.reason ?? 'the client gave this figure at another rate, and not here',
        hasRecords: why != null,
        worst_tenth_ms:
          row !== undefined && one?.bias_by === 'pairs'
            ? worstTenth(row, statistic, trial.joined?.joined ?? 0)
            : null,
      },
      allowed_ms,
    );
    terms.push({
      name,
      bias_ms: one?.bias_ms ?? null,
      allowed_ms,
      floor_ms: one?.floor_ms ?? null,
      ...judged,
    });
  }
  return { terms, notGiven };
}

/** The verdict of the terms, and what it is where the target or the machine stands behind it. */
function verdictOf(
  trial: Trial,
  terms: readonly Term[],
  disturbed: string | null,
): { verdict: TrialVerdict; reason: string } {
  const { outcome } = trial;
  const why = 'reason' in outcome ? outcome.reason : '';
  if (FAILURES.has(outcome.kind)) {
    const limit = outcome.kind === 'timedOut' ? targetLimit(trial) : null;
    return limit === null ? { verdict: 'fails', reason: why } : { verdict: 'target', reason: limit };
  }
  if (outcome.kind === 'incomplete' || outcome.kind === 'clientMissing')
    return { verdict: 'undetermined', reason: why };
  if (terms.length === 0) return { verdict: 'undetermined', reason: 'nothing of it could be judged' };
  const verdict = worst(terms.map((term) => term.verdict));
  if (verdict === 'holds') return { verdict, reason: '' };
  const words = terms
    .filter((term) => term.verdict === verdict)
    .map(termWords)
    .join('; ');
  // Where others took the cores, the target is late for want of one: that is no limit of its own.
  const outside = outsideDisturbance(trial);
  if (outside !== null) return { verdict: 'undetermined', reason: `${words}, but ${outside}` };
  const limit = targetLimit(trial);
  if (limit !== null) return { verdict: 'target', reason: `${words}, but ${limit}` };
  if (verdict === 'fails' && disturbed !== null)
    return { verdict: 'undetermined', reason: `${words}, but ${disturbed}` };
  return { verdict, reason: words };
}

/** A trial as the search and the reports see it. */
export function judgeTrial(trial: Trial, purpose: Purpose, context: JudgeContext): EnvelopeTrial {
  const { truth, observed, workload, outcome } = trial;
  const hasFigures = outcome.kind === 'measured' || outcome.kind === 'saturated';
  const rate = hasFigures ? rateTerm(trial, context) : null;
  const { terms, notGiven } = hasFigures ? biasTerms(trial, context) : { terms: [], notGiven: [] };
  const all: Term[] = rate === null ? [] : [rate, ...terms];
  const disturbed = disturbance(trial, context.cores);
  return {
    id: trial.id,
    client: trial.client,
    rate_rps: workload.rateRps,
    order: trial.order,
    purpose,
    ...verdictOf(trial, all, disturbed),
    outcome: outcome.kind,
    duration_s: workload.durationS,
    elapsed_s: trial.elapsed_s,
    started_at: trial.started_at,
    requests: truth?.requests ?? null,
    arrival_rps: truth?.arrival_rps ?? null,
    terms: all,
    not_given: notGiven,
    busiest_thread_share: observed?.busiest_thread_share ?? null,
    target_cpu_share: targetCpuShare(trial),
    target_lateness_p50_ms: truth?.lateness_p50_ms ?? null,
    target_lateness_p99_ms: truth?.lateness_p99_ms ?? null,
    disturbed,
  };
}
