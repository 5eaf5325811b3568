/**
 * Which clock a client's stamps are on. The ledger's is CLOCK_MONOTONIC, and so are Python's time.perf_counter() and Node's
 * process.hrtime() on Linux; others stamp with the wall clock, or with one of their own. A wrong guess would move milliseconds from one
 * stage to another unseen, so a clock that does not hold for every request is `unknown`: then only differences of stamps are of use. Pure.
 */
import { toMs } from './time.ts';

/** A request's start on the client's clock and its arrival on the ledger's, ns. */
export interface ClockPair {
  readonly startNs: number;
  readonly arrivalNs: number;
}

/** CLOCK_REALTIME − CLOCK_MONOTONIC at both ends of a trial, ns: what lies between is what the wall clock was adjusted by. */
export interface WallOffset {
  readonly beforeNs: number;
  readonly afterNs: number;
}

export interface RecordClock {
  readonly clock: 'monotonic' | 'wall' | 'unknown';
  /** To be taken from a stamp to have it on CLOCK_MONOTONIC, ns; null for an unknown clock. */
  readonly offsetNs: number | null;
  /** In words: what was found. */
  readonly how: string;
}

/** A request cannot start after its own arrival. Two readings of one clock on two cores agree within this. */
const SAME_CLOCK_NS = 5_000;
/** How well the wall clock's offset can be read, ns. */
const WALL_ERROR_NS = 20_000;
/** The wall clock may be adjusted by so much in a trial: half of it is the error of a stamp. */
export const MOST_ADJUSTED_NS = 100_000;
/** At least one request gets to the target within this on loopback; if none does, the stamps are of another clock. */
const NEAREST_NS = 1e9;

interface Fit {
  readonly nearestNs: number;
  readonly broken: number;
}

/** How long before arrival the nearest start lies, and how many starts lie after the arrival by more than `toleranceNs`. */
function fitOf(pairs: readonly ClockPair[], offsetNs: number, toleranceNs: number): Fit {
  let nearestNs = Number.POSITIVE_INFINITY;
  let broken = 0;
  for (const { startNs, arrivalNs } of pairs) {
    const before = arrivalNs - (startNs - offsetNs);
    if (before < -toleranceNs) broken++;
    nearestNs = Math.min(nearestNs, before);
  }
  return { nearestNs, broken };
}

const near = ({ nearestNs }: Fit): boolean => Math.abs(nearestNs) <= NEAREST_NS;

const microseconds = (ns: number): string => `${Math.round(ns / 1000)} µs`;

const words = (name: string, { nearestNs }: Fit, of: number): string =>
  `${name}: none of ${of} requests starts after its arrival, the nearest ${microseconds(nearestNs)} before it`;

/**
 * The clock of a client's start stamps.
 * @param pairs joined requests: sent instants where the client keeps them, else starts
 * @param wall null where it was not read: wall-clock stamps are then of an unknown clock
 * @param mostBroken share of requests that may start after their arrival all the same: above zero only where requests were joined by
 * order, since two neighbours may then have changed places
 */
export function recordClock(
  pairs: readonly ClockPair[],
  wall: WallOffset | null,
  mostBroken = 0,
): RecordClock {
  const unknown = (how: string): RecordClock => ({ clock: 'unknown', offsetNs: null, how });
  const known = pairs.filter(
    ({ startNs, arrivalNs }) => Number.isFinite(startNs) && Number.isFinite(arrivalNs),
  );
  if (known.length === 0) return unknown('it keeps no instants');
  const after = ({ broken }: Fit): string =>
    `${broken} of ${known.length} requests would start after they arrived`;
  const monotonic = fitOf(known, 0, SAME_CLOCK_NS);
  if (near(monotonic)) {
    if (monotonic.broken <= mostBroken * known.length)
      return {
        clock: 'monotonic',
        offsetNs: 0,
        how: words('CLOCK_MONOTONIC, as the ledger', monotonic, known.length),
      };
    return unknown(`near CLOCK_MONOTONIC, but ${after(monotonic)}`);
  }
  if (wall === null) return unknown('not CLOCK_MONOTONIC, and the wall clock was not read');
  const adjusted = wall.afterNs - wall.beforeNs;
  const offsetNs = (wall.beforeNs + wall.afterNs) / 2;
  const fit = fitOf(known, offsetNs, WALL_ERROR_NS + Math.abs(adjusted) / 2);
  if (!near(fit)) return unknown('neither CLOCK_MONOTONIC nor the wall clock');
  if (Math.abs(adjusted) > MOST_ADJUSTED_NS)
    return unknown(`the wall clock, which was adjusted by ${toMs(adjusted).toFixed(3)} ms during the trial`);
  if (fit.broken > mostBroken * known.length) return unknown(`near the wall clock, but ${after(fit)}`);
  return {
    clock: 'wall',
    offsetNs,
    how: `${words('the wall clock', fit, known.length)}; its offset moved by ${microseconds(adjusted)} in the trial`,
  };
}
