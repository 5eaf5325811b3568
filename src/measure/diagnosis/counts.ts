/** What a client counts against what the ledger holds: failures, requests that were never there, requests that it does not count. */
import { peakInFlight } from '../arrivals.ts';
import { toMs } from '../time.ts';
import { median, quantile } from './estimate.ts';
import type { Evidence } from './evidence.ts';
import { exactly, type Fault, fault } from './fault.ts';
import { SLACK, type Tally, tallyOf } from './tally.ts';

/** Connections a request, from which on they are said to be fresh ones, how many times those under way there must be, and of how many requests. */
const FRESH = { share: 0.9, timesInFlight: 2, spare: 16, requests: 100 };
/** A request and its double arrive within this, ms; so many of the doubles must, and so many times as many as neighbours do by chance. */
const DOUBLE = { withinMs: 1, share: 0.6, overChance: 2 };
/** Of what is not counted this much must be at the start, or slow, for that to be said. */
const MOST = 0.9;

const _percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Of these rows the share that another row arrives next to. */
function nextTo({ ledger }: Evidence, rows: readonly number[], others: readonly number[]): number {
  const at = others.map((r) => ledger.arrivalNs[r]!).sort((a, b) => a - b);
  const near = rows.filter((r) => {
    const mine = ledger.arrivalNs[r]!;
    let low = 0;
    let high = at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle]! < mine) low = middle + 1;
      else high = middle;
    }
    // Itself is no neighbour.
    return [low - 1, low, low + 1].some((i) => {
      const other = at[i];
      return other !== undefined && other !== mine && toMs(Math.abs(other - mine)) <= DOUBLE.withinMs;
    });
  });
  return near.length / rows.length;
}

function isDoubled(evidence: Evidence, { unclaimedRows }: Tally): boolean {
  if (unclaimedRows.length === 0) return false;
  const set = new Set(unclaimedRows);
  const claimed = Array.from(
    { length: evidence.ledger.rows - evidence.first },
    (_, i) => evidence.first + i,
  ).filter((r) => !set.has(r));
  const near = nextTo(evidence, unclaimedRows, claimed);
  return near >= DOUBLE.share && near >= DOUBLE.overChance * nextTo(evidence, claimed, claimed);
}

/** What the requests that are not counted have in common. */
function whichWords({ ledger, first }: Evidence, { unclaimedRows: rows }: Tally): string {
  if (rows.length === 0) return '';
  if (rows.filter((r) => r - first < rows.length / MOST).length >= MOST * rows.length)
    return ', nearly all among the first';
  const e2e = (r: number): number => ledger.endNs[r]! - ledger.arrivalNs[r]!;
  const all = Array.from({ length: ledger.rows - first }, (_, i) => e2e(first + i));
  return median(rows.map(e2e)) > quantile(all, MOST) ? ', most of them among the slowest' : '';
}

function uncounted(evidence: Evidence, tally: Tally): Fault[] {
  const { rows, claimed, unclaimed } = tally;
  if (unclaimed < Math.max(SLACK.requests, SLACK.share * rows)) return [];
  if (isDoubled(evidence, tally))
    return [
      fault(
        'requests-doubled',
        exactly((rows - claimed) / claimed),
        `${rows} requests reached the target where it counts ${claimed}; those it does not count arrived within ${DOUBLE.withinMs} ms of one that it does`,
      ),
    ];
  return [
    fault(
      'requests-unrecorded',
      exactly(-unclaimed / rows),
      `${unclaimed} of the ${rows} requests that reached the target were answered and are in none of its counts${whichWords(evidence, tally)}`,
    ),
  ];
}

/** Faults of counting. All sizes are counted: they have no width. */
export function countFaults(evidence: Evidence): Fault[] {
  const tally = tallyOf(evidence);
  const { rows, failed, taken, ghosts, claimed, saysFailed, byRecords } = tally;
  if (rows === 0) return [];
  const faults: Fault[] = [];
  const who = byRecords ? 'by its records' : 'by its counts';
  if (taken > 0)
    faults.push(
      fault(
        'errors-as-success',
        exactly(taken / rows),
        `${taken} of the ${failed} requests that failed at the target are completed ${who}`,
      ),
    );
  const more = uncounted(evidence, tally);
  // A request that was sent twice leaves a second row, which fails as often as any: then it is no failure that is not counted.
  const doubled = more.some(({ kind }) => kind === 'requests-doubled');
  const missing = failed - taken - saysFailed;
  if (missing > 0 && !doubled)
    faults.push(
      fault(
        'failures-dropped',
        exactly(-missing / rows),
        `${failed} of ${rows} requests failed, the client says ${saysFailed}`,
      ),
    );
  if (ghosts > 0)
    faults.push(
      fault(
        'requests-not-sent',
        exactly(-ghosts / (claimed + ghosts)),
        `${ghosts} of the ${claimed + ghosts} requests that it counts never reached the target`,
      ),
    );
  return [...faults, ...more];
}

/** A connection a request, where the client is said to keep them. */
export function connectionFaults({ ledger, first, stated }: Evidence): Fault[] {
  const rows = ledger.rows - first;
  if (stated.connections !== 'kept' || rows < FRESH.requests) return [];
  const connections = new Set(ledger.connection.subarray(first, ledger.rows)).size;
  const peak = peakInFlight(ledger.arrivalNs.subarray(first), ledger.endNs.subarray(first));
  if (connections < FRESH.share * rows || connections < FRESH.timesInFlight * peak + FRESH.spare) return [];
  return [
    fault(
      'fresh-connections',
      exactly(connections / rows),
      `${rows} requests came over ${connections} connections, with ${peak} under way at the most`,
    ),
  ];
}
