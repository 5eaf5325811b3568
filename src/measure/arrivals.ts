/** What a ledger's arrivals say of a client: rate, regularity, concurrency. */
import { LEDGER_OUTCOMES, type Ledger } from './ledger.ts';
import { mean, variance } from './quantile.ts';
import { NANOS_PER_S } from './time.ts';

/** Events per second of ascending instants (ns): (n − 1) over the time between the first and the last; null below two. */
export function ratePerSecond(instantsNs: ArrayLike<number>): number | null {
  const n = instantsNs.length;
  if (n < 2) return null;
  const span = instantsNs[n - 1]! - instantsNs[0]!;
  return span > 0 ? ((n - 1) * NANOS_PER_S) / span : null;
}

/**
 * Events per second between the 5th and the 95th hundredth of ascending instants (ns): a growing backlog shows in it, one late event at
 * the end does not. null below two.
 */
export function middleRate(instantsNs: Float64Array): number | null {
  const n = instantsNs.length;
  // Of few events one at each end, so that one alone does not decide.
  const cut = n < 5 ? 0 : Math.max(1, Math.floor(n * 0.05));
  return ratePerSecond(instantsNs.subarray(cut, n - cut));
}

/** Squared coefficient of variation of the gaps: 0 for a constant process, 1 for a Poisson one; null below three arrivals. */
export function gapCv2(instantsNs: ArrayLike<number>): number | null {
  if (instantsNs.length < 3) return null;
  const gaps = new Float64Array(instantsNs.length - 1);
  for (let i = 0; i < gaps.length; i++) gaps[i] = instantsNs[i + 1]! - instantsNs[i]!;
  const average = mean(gaps);
  return average > 0 ? variance(gaps) / average ** 2 : null;
}

/** Most requests in flight at once: arrived, not yet ended. A request without an end counts to the end of the ledger. */
export function peakInFlight(startsNs: ArrayLike<number>, endsNs: ArrayLike<number>): number {
  const starts = Float64Array.from(startsNs).sort();
  const ends = Float64Array.from(endsNs)
    .map((end) => (Number.isNaN(end) ? Number.POSITIVE_INFINITY : end))
    .sort();
  let peak = 0;
  let ended = 0;
  for (let i = 0; i < starts.length; i++) {
    while (ended < ends.length && ends[ended]! <= starts[i]!) ended++;
    peak = Math.max(peak, i + 1 - ended);
  }
  return peak;
}

/** The rate side of a ledger, from row `first` on. */
export interface ArrivalFigures {
  readonly requests: number;
  readonly arrivalRps: number | null;
  /** Completions per second between the 5th and the 95th hundredth of them: neither the drain nor one late answer counts. */
  readonly completionRps: number | null;
  readonly gapCv2: number | null;
  readonly peakInFlight: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

export function arrivalFigures(ledger: Ledger, first = 0): ArrivalFigures {
  const arrivals = ledger.arrivalNs.slice(first, ledger.rows).sort();
  const outcomes: Record<string, number> = {};
  const completions: number[] = [];
  for (let r = first; r < ledger.rows; r++) {
    const outcome = LEDGER_OUTCOMES[ledger.outcome[r]!]!;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === 'complete') completions.push(ledger.endNs[r]!);
  }
  return {
    requests: arrivals.length,
    arrivalRps: ratePerSecond(arrivals),
    completionRps: middleRate(Float64Array.from(completions).sort()),
    gapCv2: gapCv2(arrivals),
    peakInFlight: peakInFlight(ledger.arrivalNs.slice(first), ledger.endNs.slice(first)),
    outcomes,
  };
}
