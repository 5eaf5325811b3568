/** What a run cost the client, from the ledger and the observer: CPU time over requests, while the load was steady. Pure. */
import type { FrontRecord } from '../../../simulators/front/record.ts';
import type { Architecture } from '../../measure/architecture.ts';
import { middleRate, ratePerSecond } from '../../measure/arrivals.ts';
import { LEDGER_OUTCOMES, type Ledger } from '../../measure/ledger.ts';
import { quantileSorted } from '../../measure/quantile.ts';
import type { Observation } from '../../system/observation.ts';
import { summarize } from '../../system/observed-figures.ts';
import type { PointCost, Written } from './document.ts';

export interface RunEvidence {
  readonly ledger: Ledger;
  /** Rows of the client's own warm-up. */
  readonly warmup: number;
  readonly observation: Observation;
  readonly startedNs: number;
  readonly endedNs: number;
  readonly front: FrontRecord | null;
}

/** A window shorter than this holds too few samples. */
const LEAST_WINDOW_S = 0.6;
/** Share of requests that must have been answered whole. */
const LEAST_COMPLETE = 0.98;

const complete = LEDGER_OUTCOMES.indexOf('complete');

/** How often tokens of an answer were written, mean over rows from `first` on: tokens in one write have one instant. */
export function tokenWrites(ledger: Ledger, first: number): number {
  let writes = 0;
  for (let row = first; row < ledger.rows; row++) {
    const from = ledger.tokenStart[row]!;
    const to = ledger.tokenStart[row + 1]!;
    let own = from === to ? 1 : 0;
    for (let i = from; i < to; i++) if (i === from || ledger.tokenNs[i] !== ledger.tokenNs[i - 1]) own++;
    writes += own;
  }
  return writes / (ledger.rows - first);
}

function writtenOf({ ledger, warmup, front }: RunEvidence): Written {
  let streamed = 0;
  for (let row = warmup; row < ledger.rows; row++) streamed += ledger.streamed[row]!;
  return {
    streamed_share: streamed / (ledger.rows - warmup),
    token_writes: tokenWrites(ledger, warmup),
    body_bytes: (ledger.meta.bodyBytes ?? 0) / ledger.rows,
    front: front === null ? null : { connections: front.connections, requests: front.requests },
  };
}

/** The last instant; requests that did not end have none. */
const lastOf = (instants: Float64Array): number =>
  instants.reduce((last, at) => (Number.isNaN(at) ? last : Math.max(last, at)), 0);

/** Garbage collectors and helpers carry a part of the work, and are no loops: only threads that are about as busy count. */
const loopsOf = (architecture: Architecture | null): number | null =>
  architecture === null || architecture.shape === 'idle'
    ? null
    : architecture.shape === 'equal'
      ? architecture.carriers
      : 1;

/** Instants in (from, to]. */
const within = (instants: Float64Array, from: number, to: number): number =>
  instants.reduce((count, at) => count + (at > from && at <= to ? 1 : 0), 0);

/**
 * The window starts when requests are under way as they will be all the time (first arrival + p95 of E2E) and ends with the last
 * arrival: a client's preparations and its sums at the end are in neither. Its requests are the mean of those that arrived and those that
 * ended in it, so that one that is half inside counts half.
 */
export function pointCost(evidence: RunEvidence): PointCost | { readonly why: string } {
  const { ledger, warmup, observation, startedNs, endedNs } = evidence;
  const rows = ledger.rows - warmup;
  if (rows < 2) return { why: `${rows} requests reached the target` };
  const done = ledger.outcome.slice(warmup).reduce((sum, outcome) => sum + (outcome === complete ? 1 : 0), 0);
  if (done / rows < LEAST_COMPLETE)
    return { why: `${rows - done} of ${rows} requests were not answered whole` };
  const arrivals = ledger.arrivalNs.slice(warmup).sort();
  const ends = ledger.endNs.slice(warmup);
  const e2e = Float64Array.from(ends, (end, i) => end - ledger.arrivalNs[warmup + i]!)
    .filter((ns) => !Number.isNaN(ns))
    .sort();
  const last = arrivals[rows - 1]!;
  const steady = arrivals[0]! + quantileSorted(e2e, 0.95);
  // Whole samples within: one beyond the last arrival would hold time in which nothing arrived.
  const from = observation.atNs.find((at) => at >= steady) ?? last;
  const to = observation.atNs.findLast((at) => at <= last) ?? from;
  const figures = to > from ? summarize(observation, from, to) : null;
  const windowS = figures === null ? 0 : (figures.covered_to_ns - figures.covered_from_ns) / 1e9;
  if (figures === null || windowS < LEAST_WINDOW_S)
    return { why: `the load was steady for ${windowS.toFixed(1)} s only` };
  const { busiest_thread_share: busiest, cpu_share: group } = figures;
  if (busiest === null || group === null) return { why: '/proc said nothing of its CPU time' };
  const requests =
    (within(arrivals, figures.covered_from_ns, figures.covered_to_ns) +
      within(ends, figures.covered_from_ns, figures.covered_to_ns)) /
    2;
  if (requests < 5) return { why: `${requests} requests while the load was steady` };
  const us = (share: number): number => (share * windowS * 1e6) / requests;
  const delivered = ledger.deliveredTokens.slice(warmup).reduce((sum, tokens) => sum + tokens, 0);
  return {
    busiest_us: us(busiest),
    group_us: us(group),
    busiest_share: busiest,
    group_share: group,
    system_part: figures.system_part ?? null,
    loops: loopsOf(figures.architecture ?? null),
    load_s: (last - arrivals[0]!) / 1e9,
    requests,
    window_s: windowS,
    sent_rps: ratePerSecond(arrivals) ?? 0,
    completed_rps: middleRate(ends.filter((end) => !Number.isNaN(end)).sort()),
    delivered_tokens: delivered / rows,
    written: writtenOf(evidence),
    startup_s: (ledger.arrivalNs[0]! - startedNs) / 1e9,
    teardown_s: (endedNs - lastOf(ends)) / 1e9,
    core_wait_share: figures.core_wait_share,
    steal_share: figures.steal_share,
  };
}
