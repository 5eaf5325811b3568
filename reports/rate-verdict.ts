/** What an audit says of one client at one rate, as data: the ground for the verdict sentence, the table and the page. Pure. */
import type { AuditDocument, Finding, RateFinding, Trial } from '../src/audit/document.ts';
import type { Metric, Statistic } from '../src/measure/metrics.ts';
import { intervalMs, limitMs, METRIC_LABEL, signedMs } from './format.ts';
import { hasTruth, NO_BIAS } from './target-words.ts';

/** A client is within tolerance where its queueing bias is surely smaller than this, ms, or than the floor if that is larger. */
export const DEFAULT_TOLERANCE_MS = 1;

/** Below this share of the requested rate a client is saturated (as in Outcome). */
const FULL_RATE = 0.98;

/**
 * `within`: every headline interval lies inside the tolerance. `biased`: at least one lies wholly outside. `saturated`: it sent
 * or completed less than asked. `failed`: it ran and left no figure. `notRun`: no trial of it. `unclear`: anything else.
 */
export type RateState = 'within' | 'biased' | 'saturated' | 'failed' | 'unclear' | 'notRun';

export interface RateVerdict {
  readonly client: string;
  readonly rate_rps: number;
  readonly state: RateState;
  readonly rate: RateFinding | null;
  /** The findings that decided: headline metric at p50 and p99. */
  readonly headline: readonly Finding[];
  /** Those of them whose interval lies wholly outside the tolerance. */
  readonly biased: readonly Finding[];
  readonly failures: readonly Trial[];
  readonly trials: number;
  /** Why it is saturated, failed, unclear or not run, in words; empty otherwise. */
  readonly reason: string;
}

const HEADLINE_STATISTICS: readonly Statistic[] = ['p50', 'p99'];

/** The metric that a client is judged by: TTFT, or the first that it prints of E2E and TPOT; null when it prints none. */
export function headlineMetric(document: AuditDocument, client: string): Metric | null {
  const printed = (metric: Metric) =>
    document.findings.some((f) => f.client === client && f.metric === metric && f.bias_ms !== null);
  return (['ttft', 'e2e', 'tpot'] as const).find(printed) ?? null;
}

/** The finding of a cell, or null. */
export const findingFor = (
  document: AuditDocument,
  client: string,
  rate_rps: number,
  metric: Metric,
  statistic: Statistic,
): Finding | null =>
  document.findings.find(
    (f) => f.client === client && f.rate_rps === rate_rps && f.metric === metric && f.statistic === statistic,
  ) ?? null;

/** Rates of an audit in rising order: those planned, and any found besides. */
export const ratesOf = (document: AuditDocument): readonly number[] =>
  [...new Set([...document.plan.rates_rps, ...document.rates.map((r) => r.rate_rps)])].sort((a, b) => a - b);

const hasFigures = ({ outcome }: Trial): boolean =>
  outcome.kind === 'measured' || outcome.kind === 'saturated';

/** A trial's own outcome decides. The mean rate decides only for constant arrivals: chance alone moves that of random ones. */
function whySaturated(rate: RateFinding | null, trials: readonly Trial[], constant: boolean): string | null {
  const saturated = trials.filter((t) => t.outcome.kind === 'saturated');
  const [trial] = saturated;
  // One disturbed repetition of several is not the client's limit; its figures stay in the intervals.
  if (trial !== undefined && saturated.length * 2 > trials.length) return reasonOf(trial);
  const fidelity = rate?.fidelity ?? null;
  // A printed rate may have the drain in it.
  return constant && rate?.source !== 'printed' && fidelity !== null && fidelity < FULL_RATE
    ? 'it sent less than 98 % of what was asked'
    : null;
}

/** The arrival process that a client was asked for. */
export const arrivalsFor = (plan: AuditDocument['plan'], client: string): string =>
  plan.arrivals_otherwise[client] ?? plan.arrivals;

/** The state of one cell. `tolerance_ms` is what the reader asked for; the floor widens it. */
export function rateVerdict(
  document: AuditDocument,
  client: string,
  rate_rps: number,
  tolerance_ms = DEFAULT_TOLERANCE_MS,
): RateVerdict {
  const trials = document.trials.filter((t) => t.client === client && t.workload.rateRps === rate_rps);
  const rate = document.rates.find((r) => r.client === client && r.rate_rps === rate_rps) ?? null;
  const failures = trials.filter((t) => !hasFigures(t));
  const metric = headlineMetric(document, client);
  const headline = HEADLINE_STATISTICS.flatMap((name) => {
    const finding = metric === null ? null : findingFor(document, client, rate_rps, metric, name);
    return finding === null || finding.bias_ms === null ? [] : [finding];
  });
  const allowed = (f: Finding) => allowedFor(f, tolerance_ms);
  // Without a floor nothing can be told from zero, nor from the machine.
  const bounded = headline.filter((f) => f.low_ms !== null && f.high_ms !== null && f.floor_ms !== null);
  const biased = bounded.filter((f) => f.low_ms! > allowed(f) || f.high_ms! < -allowed(f));
  const within = bounded.filter((f) => f.low_ms! >= -allowed(f) && f.high_ms! <= allowed(f));
  const saturated = whySaturated(rate, trials, arrivalsFor(document.plan, client) === 'constant');

  const verdict = (state: RateState, reason: string): RateVerdict => ({
    client,
    rate_rps,
    state,
    rate,
    headline,
    biased,
    failures,
    trials: trials.length,
    reason,
  });
  if (trials.length === 0) return verdict('notRun', whyNotRun(document, client));
  if (failures.length === trials.length) return verdict('failed', reasonOf(failures[0]!));
  if (saturated !== null) return verdict('saturated', saturated);
  if (biased.length > 0) return verdict('biased', '');
  if (headline.length > 0 && within.length === headline.length) return verdict('within', '');
  if (!hasTruth(document)) return verdict('unclear', NO_BIAS);
  return verdict(
    'unclear',
    whyUnclear(
      headline,
      bounded,
      bounded.find((f) => !within.includes(f)),
      tolerance_ms,
    ),
  );
}

/** The reason of a trial's outcome; empty for a measured one. */
export const reasonOf = (trial: Trial): string => ('reason' in trial.outcome ? trial.outcome.reason : '');

function whyNotRun(document: AuditDocument, client: string): string {
  const found = document.clients.find((entry) => entry.name === client)?.found;
  if (found?.state === 'missing') return found.reason;
  return document.state === 'interrupted' ? 'the audit was interrupted' : 'no trial was run';
}

function whyUnclear(
  headline: readonly Finding[],
  bounded: readonly Finding[],
  open: Finding | undefined,
  tolerance_ms: number,
): string {
  if (headline.length === 0) return 'it printed no latency that can be compared';
  if (open === undefined || bounded.length < headline.length)
    return headline.some((f) => f.floor_ms === null)
      ? 'the floor of this machine could not be measured, so nothing can be told from it'
      : 'there is no interval: one repetition, and no record of single requests, or too few';
  const name = `${METRIC_LABEL[open.metric]} ${open.statistic}`;
  return `${name} ${signedMs(open.bias_ms)} ms ${intervalMs(open.low_ms, open.high_ms)} reaches over ±${limitMs(allowedFor(open, tolerance_ms))} ms`;
}

/** What a figure may be off, ms: the tolerance asked for, or the figure's own floor where that is larger. */
export const allowedFor = (finding: Finding, tolerance_ms: number): number =>
  Math.max(tolerance_ms, finding.floor_ms ?? 0);
