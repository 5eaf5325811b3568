/** Whether a client holds back what is due because so many requests are under way: told from its ledger alone. */
import type { LoadRun } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { toMs } from '../../src/measure/time.ts';
import { arrivalsMs, isRandom, peakOf, sentOf } from './load-run.ts';

export interface Cap {
  /** Most under way at once. */
  readonly cap: number;
  /** Under way on average at the rate that was asked: rate × time that each is held (Little). */
  readonly needed: number;
}

/** Requests that must be under way at the rate asked: rate × mean time from arrival to end. */
export function neededOf(run: LoadRun): number {
  const { ledger, first } = run;
  const held = Array.from({ length: sentOf(run) }, (_, i) =>
    toMs(ledger.endNs[first + i]! - ledger.arrivalNs[first + i]!),
  );
  return (run.rateRps * mean(held.filter((ms) => !Number.isNaN(ms)))) / 1000;
}

/** How many were under way just after each arrival, in order of arrival. */
function underWay({ ledger, first }: LoadRun): number[] {
  const starts = ledger.arrivalNs.slice(first, ledger.rows).sort();
  const ends = ledger.endNs.slice(first, ledger.rows).sort();
  let ended = 0;
  return Array.from(starts, (at, i) => {
    while (ended < ends.length && ends[ended]! <= at) ended++;
    return i + 1 - ended;
  });
}

/** Of what the end of a run is late by, so much may be missing already when the cap is first reached: a drift is late from the start. */
const LATE_BEFORE = 0.25;
const LEAST_LATE = 0.02;
/** Share of the arrivals, from the first one at the cap on, that find no more than one place free. */
const PLATEAU = 0.5;

/** The cap of a client; null where none shows: all that was due could leave. */
export function capOf(run: LoadRun): Cap | null {
  const needed = neededOf(run);
  const cap = peakOf(run);
  const loop = run.departures.find(({ kind }) => kind === 'closed-loop');
  if (!(cap + 0.5 <= needed)) return null;
  if (loop !== undefined) return { cap, needed };
  const flight = underWay(run);
  const reached = flight.indexOf(cap);
  const at = arrivalsMs(run);
  const gapMs = 1000 / run.rateRps;
  const late = (i: number): number => at[i]! / gapMs - i;
  const last = at.length - 1;
  const after = flight.slice(reached);
  const held = after.filter((count) => count >= cap - 1).length / after.length >= PLATEAU;
  if (!held) return null;
  if (isRandom(run)) return { cap, needed };
  const total = late(last) / last;
  return total > LEAST_LATE && late(reached) <= LATE_BEFORE * total * Math.max(1, reached) + 0.5
    ? { cap, needed }
    : null;
}

/** Where the wait for a cap shows in what is printed: share of it that the printed mean holds, 0 … 1. */
export const shareOnTheBooks = (printedMs: number, servedMs: number, waitMs: number): number =>
  (printedMs - servedMs) / waitMs;
