/**
 * Identifies a client's arrival process from the instants at which its requests reached the target, and names how it departs from the
 * process that was asked. Tests go from what distorts all others (a coarse timer, clumps, stalls) to what is left without it.
 */
import type { Arrivals } from '../workload.ts';
import { gammaBelow } from './chance.ts';
import { findClosedLoop } from './closed-loop.ts';
import { findClumps } from './clumps.ts';
import { departuresOf } from './departures.ts';
import { dispersion } from './dispersion.ts';
import { keptSchedule } from './kept-schedule.ts';
import { robustGapMs } from './pace.ts';
import { findPhases } from './phases.ts';
import { poissonTests } from './poisson-tests.ts';
import { gapSpread, JITTER_MS, type Spread } from './spread.ts';
import { mendStalls, stallFigures } from './stalls.ts';
import { findTicks } from './ticks.ts';
import type { ArrivalIdentity, PoissonTests, Process, StatedArrivals } from './types.ts';

/** Fewer arrivals tell no process. */
export const MIN_ARRIVALS = 30;

/** CV² of the gaps of a stated process; null for a trace, whose gaps are its own. */
export function statedCv2(arrivals: Arrivals): number | null {
  if (arrivals.kind === 'gamma') return arrivals.cv2;
  return arrivals.kind === 'constant' ? 0 : arrivals.kind === 'poisson' ? 1 : null;
}

/** Gaps of a process far from Poisson in size, not only in significance: with very many arrivals every jitter is significant. */
const POISSON_DISTANCE = 0.06;
const POISSON_P = 1e-3;

export const looksPoisson = (tests: PoissonTests | null, least = POISSON_P): boolean =>
  tests === null || tests.lewis_p > least || tests.lewis_ks < POISSON_DISTANCE;

function processOf(spread: Spread, tests: PoissonTests | null): Process {
  if (spread.regular) return 'constant';
  const one = spread.low <= 1.25 && spread.high >= 0.8;
  if (one && looksPoisson(tests)) return 'poisson';
  return one ? 'other' : 'gamma';
}

const MADE_UP = 0.1;

/** Standard deviation of an instant that a tick moves uniformly within its period. */
const tickSpread = (periodMs: number): number => periodMs / Math.sqrt(12);

/**
 * What process `arrivalsNs` (ascending) is, against the stated one. `endsNs`: ends of the same requests on the same clock (NaN: none), by
 * which a closed loop is known.
 */
export function identifyArrivals(
  arrivalsNs: Float64Array,
  stated: StatedArrivals,
  endsNs?: ArrayLike<number>,
): ArrivalIdentity {
  const n = arrivalsNs.length;
  const span = n < 2 ? 0 : (arrivalsNs[n - 1]! - arrivalsNs[0]!) / 1e6;
  const rate = span > 0 ? ((n - 1) * 1000) / span : null;
  if (n < MIN_ARRIVALS || rate === null) return tooFew(n, rate);
  const asSent = arrivalsNs.map((t) => (t - arrivalsNs[0]!) / 1e6);
  const statedGapMs = 1000 / stated.rateRps;
  const cv2 = statedCv2(stated.arrivals);

  const grid = findTicks(asSent, cv2 === 0 ? [statedGapMs, robustGapMs(asSent)] : []);
  const phases = cv2 === 0 ? findPhases(asSent, statedGapMs, grid) : null;
  const ticks = phases === null ? grid : null;
  const raw = phases?.even ?? asSent;
  const kept = ticks === null && cv2 === 0 ? keptSchedule(raw, statedGapMs) : null;
  const regular = kept !== null || gapSpread(raw).regular;
  const scale = cv2 === 0 ? 1 : (cv2 ?? 4);
  const gap = span / (n - 1);
  const clumpsOf = (at: Float64Array) =>
    ticks !== null || regular ? null : findClumps(at, (x) => gammaBelow(x, 1 / Math.max(1, scale), gap));
  const none = { stalls: [], at: raw, calm: raw };
  let mended = ticks === null ? mendStalls(raw, regular, scale) : none;
  let clumps = clumpsOf(mended.at);
  if (clumps !== null) {
    // A long gap and a clump look like a stall: again, with what clumps are.
    mended = mendStalls(raw, regular, scale * Math.max(1, clumps.mean));
    clumps = clumpsOf(mended.at);
  }
  const at = kept ?? clumps?.starts ?? mended.at;
  const jitterMs = ticks === null ? JITTER_MS : Math.max(JITTER_MS, tickSpread(ticks.periodMs));
  // Gaps put into a pause are made up: where they are many, only the others count.
  const madeUp =
    kept === null &&
    clumps === null &&
    (mended.calm.length < (1 - MADE_UP) * n || mended.calm.at(-1)! < (1 - MADE_UP) * span);
  const own = madeUp ? mended.calm : at;
  const spread = own.length < MIN_ARRIVALS ? null : gapSpread(own, jitterMs);
  const tests = ticks === null && own.length >= MIN_ARRIVALS ? poissonTests(own) : null;
  const loop =
    endsNs === undefined
      ? null
      : findClosedLoop(
          asSent,
          Float64Array.from(endsNs, (end) => (end - arrivalsNs[0]!) / 1e6),
        );
  const process = spread === null ? 'other' : processOf(spread, tests);
  const departures = departuresOf({
    raw,
    kept: kept !== null,
    mended: mended.at,
    calm: madeUp ? own : null,
    at,
    statedGapMs,
    statedCv2: cv2,
    ticks,
    phases,
    clumps,
    stalls: stallFigures(mended.stalls, span),
    spread,
    tests,
    loop,
    process,
  });
  // Of n gaps together; jitter moves the two ends of the run only.
  const chance = 1.96 * Math.sqrt((spread?.cv2 ?? 1) / at.length) + (2 * JITTER_MS) / span;
  return {
    requests: n,
    rate_rps: rate,
    rate_low_rps: rate * Math.exp(-chance),
    rate_high_rps: rate * Math.exp(chance),
    cv2: spread?.cv2 ?? null,
    cv2_low: spread?.low ?? null,
    cv2_high: spread?.high ?? null,
    dispersion: dispersion(asSent),
    poisson: tests,
    process,
    cv2_of_gamma: process === 'gamma' ? spread!.cv2 : null,
    agrees: departures.length === 0,
    departures,
  };
}

const tooFew = (requests: number, rate: number | null): ArrivalIdentity => ({
  requests,
  rate_rps: rate,
  rate_low_rps: null,
  rate_high_rps: null,
  cv2: null,
  cv2_low: null,
  cv2_high: null,
  dispersion: [],
  poisson: null,
  process: 'too few',
  cv2_of_gamma: null,
  agrees: null,
  departures: [],
});
