/** Names what departs from the stated process. What one departure brings with it is not named a second time. */

import { chi2Above } from './chance.ts';
import type { ClosedLoop } from './closed-loop.ts';
import type { Clumps } from './clumps.ts';
import { dispersionOver } from './dispersion.ts';
import { driftsThroughout, findDrift, findRamp, findRate } from './pace.ts';
import type { Phases } from './phases.ts';
import { findEvenSeconds, findPinned } from './seconds.ts';
import { type Spread, spreadDeviation } from './spread.ts';
import type { StallFigures } from './stalls.ts';
import type { Ticks } from './ticks.ts';
import type { Departure, DepartureKind, Dispersion, PoissonTests, Process } from './types.ts';

export interface Found {
  /** The arrivals as they came, ms. */
  readonly raw: Float64Array;
  /** A constant schedule that is kept, whatever came late. */
  readonly kept: boolean;
  /** Stalls mended. */
  readonly mended: Float64Array;
  /** Where stalls took much of the run: what was left without them. */
  readonly calm: Float64Array | null;
  /** And a clump as one. */
  readonly at: Float64Array;
  readonly statedGapMs: number;
  /** 0 constant, 1 Poisson; null: a trace. */
  readonly statedCv2: number | null;
  readonly ticks: Ticks | null;
  readonly phases: Phases | null;
  readonly clumps: Clumps | null;
  readonly stalls: StallFigures | null;
  readonly spread: Spread | null;
  readonly tests: PoissonTests | null;
  readonly loop: ClosedLoop | null;
  readonly process: Process;
}

const UNIT: Readonly<Record<DepartureKind, Departure['unit']>> = {
  drift: 'ms',
  rate: 'share',
  'random-gaps': 'ratio',
  'regular-gaps': 'ratio',
  'other-cv2': 'ratio',
  ticks: 'ms',
  'uneven-phases': 'requests',
  clumps: 'requests',
  'on-the-second': 'share',
  'renewed-each-second': 'ratio',
  ramp: 'ratio',
  bursts: 'ratio',
  'closed-loop': 'requests',
  stall: 'ms',
  jitter: 'ms',
  unnamed: 'ratio',
};

/** About three figures. */
const say = (value: number): string => String(Number(value.toPrecision(3)));
const percent = (share: number): string => `${say(share * 100)} %`;
const departure = (kind: DepartureKind, size: number, evidence: string): Departure => ({
  kind,
  size,
  unit: UNIT[kind],
  evidence,
});

/** Stalls of a shared machine take less of a run than this. */
const STALLED_SHARE = 0.03;
const MIN_STALLS_MS = 5;
const MIN_STALLED_MS = 100;
/** One or two that are shorter than so many mean gaps may be chance. */
const SELDOM_GAPS = 14;

function stalled({ raw, stalls }: Found): Departure[] {
  if (stalls === null || stalls.share < STALLED_SHARE || stalls.medianMs < MIN_STALLS_MS) return [];
  const count = Math.round((stalls.perSecond * raw.at(-1)!) / 1000);
  const seldom = count < 3 && stalls.medianMs < Math.max(100, SELDOM_GAPS * (raw.at(-1)! / raw.length));
  if (seldom || stalls.share * raw.at(-1)! < MIN_STALLED_MS) return [];
  const often =
    stalls.periodMs === null ? `${say(stalls.perSecond)} a second` : `one every ${say(stalls.periodMs)} ms`;
  return [
    departure(
      'stall',
      stalls.medianMs,
      `${count} pauses of ${say(stalls.medianMs)} ms in the median, ${often}, ${percent(stalls.share)} of the run; ` +
        `${stalls.caughtUp} ended in a burst of what was due`,
    ),
  ];
}

function gridded({ ticks }: Found): Departure[] {
  if (ticks === null) return [];
  const inStep = ticks.even ? '; as many on each, so senders in step would look the same' : '';
  return [
    departure(
      'ticks',
      ticks.periodMs,
      `arrivals lie on a grid of ${say(ticks.periodMs)} ms (phase concentration ${say(ticks.concentration)}), ` +
        `${say(ticks.clump)} on each tick that has any${inStep}`,
    ),
  ];
}

/** A pattern of less is told from even gaps, but changes nothing. */
const UNEVEN = 0.05;

function uneven({ phases }: Found): Departure[] {
  if (phases === null || phases.cv2 < UNEVEN) return [];
  return [
    departure(
      'uneven-phases',
      phases.senders,
      `gaps repeat every ${phases.senders} arrivals (their CV² ${say(phases.cv2)}), as those of ${phases.senders} senders at equal gaps that were not started evenly`,
    ),
  ];
}

function clumped({ clumps }: Found): Departure[] {
  if (clumps === null) return [];
  return [
    departure(
      'clumps',
      clumps.mean,
      `${percent(clumps.share)} of arrivals come within ${say(clumps.togetherMs)} ms of the one before; the stated process has ${percent(clumps.chance)}`,
    ),
  ];
}

/** A client that sleeps between requests has gaps of a CV² below this. */
const EQUAL = 0.03;

/** The mean rate: as drift where gaps are equal and should be, else as a rate. */
function paced({ at, raw, calm, mended, kept, statedGapMs, statedCv2, spread, ticks }: Found): Departure[] {
  if (kept) return [];
  const span = raw.at(-1)!;
  if (statedCv2 === 0 && spread?.regular === true) {
    const drift = findDrift(mended, statedGapMs, ticks?.periodMs ?? 0);
    if (drift === null) return [];
    const { gapMs, deltaMs } = drift;
    const share = statedGapMs / gapMs - 1;
    const evidence = `gaps of ${say(gapMs)} ms instead of ${say(statedGapMs)}: ${say(1000 / gapMs)}/s where ${say(1000 / statedGapMs)} was stated (${percent(share)})`;
    // A whole part of the senders, or a whole multiple: no sleep that drifts.
    const factor = Math.max(gapMs / statedGapMs, statedGapMs / gapMs);
    const whole = factor > 1.5 && Math.abs(factor - Math.round(factor)) < 0.02 * factor;
    // A sleep that drifts makes gaps equal, all through the run.
    const equal = spread.cv2 < EQUAL + spread.allowance && driftsThroughout(mended, statedGapMs, deltaMs);
    return share > 0.02 || whole || !equal
      ? [departure('rate', share, evidence)]
      : [departure('drift', deltaMs, evidence)];
  }
  const cv2 = Math.max(spread?.cv2 ?? 1, statedCv2 ?? 1);
  const other =
    calm === null
      ? findRate(span, raw.length - 1, at.length - 1, statedGapMs, cv2)
      : calm.length < 10
        ? null
        : findRate(calm.at(-1)!, calm.length - 1, calm.length - 1, statedGapMs, cv2);
  if (other === null) return [];
  return [
    departure(
      'rate',
      other.share,
      `${say((1 + other.share) * (1000 / statedGapMs))}/s where ${say(1000 / statedGapMs)} was stated, ${say(Math.abs(other.deviations))} standard deviations off`,
    ),
  ];
}

/** CV² is another beyond this many standard deviations of its logarithm, and by this factor. */
const CV2_DEVIATIONS = 4.5;
const CV2_FACTOR = 1.25;
const RANDOM = 0.15;

function gaps({ spread, statedCv2 }: Found): Departure[] {
  if (spread === null || statedCv2 === null || spread.allowance > 0.6) return [];
  const { cv2, low, high } = spread;
  const over = spread.lag === 1 ? '' : `, over ${spread.lag} gaps at a time`;
  const figures = `CV² of the gaps ${say(cv2)} [${say(low)}, ${say(high)}]${over}, where ${say(statedCv2)} was stated`;
  if (statedCv2 === 0)
    return spread.regular || cv2 < RANDOM + 1.5 * spread.allowance
      ? []
      : [departure('random-gaps', cv2, figures)];
  const far = Math.abs(Math.log(cv2 / statedCv2)) > Math.log(CV2_FACTOR);
  if (!far || Math.abs(spreadDeviation(spread, statedCv2)) < CV2_DEVIATIONS) return [];
  return [departure(spread.regular ? 'regular-gaps' : 'other-cv2', cv2, figures)];
}

/** What a machine gives is far less. */
const MIN_SCATTER_MS = 3;

function scattered({ spread, statedCv2, ticks }: Found): Departure[] {
  const scatterMs = spread?.scatterMs ?? 0;
  if (statedCv2 !== 0 || ticks !== null || scatterMs < MIN_SCATTER_MS) return [];
  return [
    departure(
      'jitter',
      scatterMs,
      `arrivals scatter about their schedule by ${say(scatterMs)} ms (standard deviation)`,
    ),
  ];
}

function ramped({ at, spread, statedCv2 }: Found): Departure[] {
  const ramp = findRamp(at, at.length, Math.max(spread?.cv2 ?? 1, statedCv2 ?? 0));
  if (ramp === null || statedCv2 === null) return [];
  return [
    departure(
      'ramp',
      ramp.ratio,
      `${say(ramp.firstRps)}/s in the first third of the run, ${say(ramp.lastRps)}/s in the last`,
    ),
  ];
}

function secondly({ mended, spread }: Found): Departure[] {
  if (spread === null || spread.regular) return [];
  const pinned = findPinned(mended);
  const even = findEvenSeconds(mended, pinned?.phaseMs ?? null, Math.min(1, spread.low));
  return [
    ...(pinned === null
      ? []
      : [
          departure(
            'on-the-second',
            pinned.share,
            `in ${pinned.hit} of ${pinned.seconds} seconds a request arrives within ${say(pinned.windowMs)} ms of the same instant of the second`,
          ),
        ]),
    ...(even === null
      ? []
      : [
          departure(
            'renewed-each-second',
            even.index,
            `counts of ${even.seconds} seconds have an index of dispersion of ${say(even.index)} about ${say(even.perSecond)}, where chance gives 1`,
          ),
        ]),
  ];
}

const BURSTS_P = 1e-6;

function bursts({ at, spread, statedCv2 }: Found): Departure[] {
  if (spread === null || statedCv2 === null) return [];
  const gap = (at.at(-1)! - at[0]!) / (at.length - 1);
  const own = Math.max(0.5, spread.cv2);
  let best: Dispersion | null = null;
  for (const windowMs of [20 * gap, 50 * gap, 100 * gap, 1000]) {
    const over = windowMs < Math.max(100, 20 * gap) ? null : dispersionOver(at, windowMs);
    if (over === null || over.index < Math.max(2.5 * own, best?.index ?? 0)) continue;
    if (chi2Above(((over.windows - 1) * over.index) / own, over.windows - 1) < BURSTS_P) best = over;
  }
  if (best === null) return [];
  return [
    departure(
      'bursts',
      best.index,
      `index of dispersion ${say(best.index)} [${say(best.low)}, ${say(best.high)}] over ${say(best.window_s)} s, where the gaps by themselves give ${say(own)}`,
    ),
  ];
}

const UNNAMED_P = 1e-5;
const UNNAMED_DISTANCE = 0.07;

function unnamed({ tests, statedCv2 }: Found): Departure[] {
  if (tests === null || statedCv2 !== 1) return [];
  const name = tests.lewis_p < tests.uniform_p ? 'Lewis' : 'conditional-uniform';
  const distance = tests.lewis_p < tests.uniform_p ? tests.lewis_ks : tests.uniform_ks;
  if (tests.p > UNNAMED_P || distance < UNNAMED_DISTANCE) return [];
  return [
    departure(
      'unnamed',
      distance,
      `the ${name} KS test refuses Poisson (D ${say(distance)}, p ${say(tests.p)}), and no known departure explains it`,
    ),
  ];
}

/** All departures, that which explains most first. */
export function departuresOf(found: Found): Departure[] {
  const pace = paced(found);
  const spread = gaps(found);
  // A schedule that is kept was not held back by answers, wherever its ends fall.
  const held = found.loop !== null && (pace.length > 0 || spread.length > 0) ? found.loop : null;
  const first: Departure[] = [
    ...(held === null
      ? []
      : [
          departure(
            'closed-loop',
            held.cap,
            `${percent(held.share)} of arrivals come within ${say(held.withinMs)} ms after an answer that ended while ${held.cap} were in flight, the most there were; chance gives ${percent(held.chance)}`,
          ),
        ]),
    ...gridded(found),
    // Connections that wait for equal answers are at equal distances, too.
    ...(held === null ? uneven(found) : []),
    ...clumped(found),
    ...stalled(found),
  ];
  if (held !== null)
    return [...first, ...pace.map((one) => (one.kind === 'drift' ? asRate(one, found) : one))];
  const ramp = ramped(found);
  const swings = ramp.length > 0 || found.ticks !== null ? [] : bursts(found);
  // A rate that changes makes gaps vary more.
  const own = ramp.length + swings.length > 0 && spread[0]?.kind === 'other-cv2' ? [] : spread;
  const seconds = found.ticks === null ? secondly(found) : [];
  const all = [...first, ...pace, ...own, ...scattered(found), ...ramp, ...seconds, ...swings];
  return all.length > 0 ? all : unnamed(found);
}

const asRate = ({ size, evidence }: Departure, { statedGapMs }: Found): Departure =>
  departure('rate', statedGapMs / (statedGapMs + size) - 1, evidence);
