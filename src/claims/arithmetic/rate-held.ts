/** The rate as stated against what was sent in the time, and against requests a second as printed. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow } from '../claim.ts';
import { below, over, overlap, type Range, rangeOf, scaled } from './range.ts';
import { headlinesOn, overWholeRun, totalOf } from './rows.ts';
import { ends, given, inputOf, num, percent, result } from './words.ts';

/** A client that stalls at first and catches up sends its requests in a shorter time than their schedule has: by no more than this. */
const CAUGHT_UP = 1.1;
/** Below the rate by less than this is a drain. */
const DRAIN = 0.95;

/** A rate of arrivals that is one: finite, of an open loop. */
const openRate = (row: ClaimRow): Range | null =>
  row.rateRps === null || !Number.isFinite(row.rateRps.value) || row.rateRps.value <= 0
    ? null
    : rangeOf(row.rateRps, 'cut');

/**
 * By how much n arrivals may come faster than the rate: evenly spaced ones have n − 1 gaps, and counting n over them is usual; of drawn ones the time
 * differs by some 1 / √n, and five of that are not chance. Of an unknown number nothing but a twentieth is let pass.
 */
function faster(claim: Claim, n: number | null): number {
  if (n === null) return 1.05;
  if (n < 2) return Number.POSITIVE_INFINITY;
  const gaps = n / (n - 1);
  return claim.measurement.arrivals === 'constant' ? gaps : gaps * (1 + 5 / Math.sqrt(n));
}

const certainly = (claim: Claim, n: number | null, rate: Range, found: Range): boolean =>
  n !== null &&
  claim.measurement.arrivals === 'constant' &&
  overWholeRun(claim) &&
  below(scaled(rate, faster(claim, n) * CAUGHT_UP), found);

const QUESTION = 'At which rate, for how long, and how many requests were really sent?';
const FASTER = [
  'rate, number and time are not of one run: one of them is of another, or was mistyped',
  'the time is that of a part of the run, or the requests hold those of a warm-up',
];

/** Requests / duration is the rate, if it was held. */
export function rateOfSending(claim: Claim, row: ClaimRow): CheckResult | null {
  const rate = openRate(row);
  const [n, duration] = [row.requests, row.durationS];
  if (rate === null || n === null || duration === null || duration.value <= 0) return null;
  const found = over(rangeOf(n), rangeOf(duration, 'cut'));
  const printed = over(rangeOf(n), rangeOf(duration));
  const slack = faster(claim, n.value);
  const title = `Rate of sending, row ${row.id}`;
  const ids = row.figures.map(({ id }) => id);
  const parts = {
    rows: [row.id],
    inputs: [
      given(`rate, ${row.id}`, row.rateRps!),
      given(`requests, ${row.id}`, n),
      given(`duration, ${row.id}`, duration),
    ],
    working: [`${n.text} requests / ${duration.text} = ${ends(printed)} req/s; rate: ${row.rateRps!.text}`],
  };
  const middle = n.value / duration.value;
  const drawn = claim.measurement.arrivals !== 'constant';
  const low = drawn ? rate.low * Math.max(0, 1 - 5 / Math.sqrt(n.value)) : rate.low;
  if (overlap(found, { low, high: rate.high * slack })) {
    return result(
      'counts',
      title,
      'agrees',
      'Requests over the time stated are the rate, which confirms no figure.',
      parts,
    );
  }
  if (found.high < low) {
    if (found.high >= DRAIN * low) return null;
    return result(
      'counts',
      title,
      'limits',
      `In the time stated ${num(middle)} requests a second were sent, ${percent(middle / row.rateRps!.value)} of the rate: these figures may be of that load.`,
      {
        ...parts,
        figures: ids,
        headlines: headlinesOn(claim, ids),
        explanations: [
          'the client did not hold the rate',
          'the time holds the drain, or pauses and warm-up, beside the sending',
        ],
        questions: [QUESTION],
      },
    );
  }
  return result(
    'counts',
    title,
    certainly(claim, n.value, rate, found) ? 'contradicts' : 'limits',
    `In the time stated ${num(middle)} requests a second were sent, more than the rate of ${row.rateRps!.text}.`,
    {
      ...parts,
      figures: ids,
      headlines: headlinesOn(claim, ids),
      explanations: FASTER,
      questions: [QUESTION],
    },
  );
}

/** No more can be completed a second than is offered, over the same time; a drain in the window makes it less. */
export function offeredRate(claim: Claim, row: ClaimRow): CheckResult | null {
  const rate = openRate(row);
  const printed = totalOf(row, 'request_throughput');
  if (rate === null || printed === null) return null;
  const found = rangeOf(printed.quantity, 'cut');
  const n = row.requests?.value ?? null;
  const title = `Requests a second against the rate, row ${row.id}`;
  const share = printed.quantity.value / row.rateRps!.value;
  const parts = {
    rows: [row.id],
    inputs: [given(`rate, ${row.id}`, row.rateRps!), inputOf(printed)],
    working: [`${printed.quantity.text} / ${row.rateRps!.text} = ${percent(share)}`],
  };
  const limits = { ...parts, figures: [printed.id], headlines: headlinesOn(claim, [printed.id]) };
  if (below(scaled(rate, faster(claim, n)), found)) {
    return result(
      'counts',
      title,
      certainly(claim, n, rate, found) ? 'contradicts' : 'limits',
      `${printed.quantity.text} is more than the rate of ${row.rateRps!.text} offers.`,
      {
        ...limits,
        explanations: [
          'the window is a part of the run, in which a queue was worked off',
          'rate and throughput are of different runs',
        ],
        questions: [QUESTION],
      },
    );
  }
  if (found.high < DRAIN * rate.low) {
    return result('counts', title, 'limits', `${printed.quantity.text} is ${percent(share)} of the rate.`, {
      ...limits,
      explanations: [
        'the client did not hold the rate, or the system did not serve it',
        'the window holds the drain',
      ],
      questions: [QUESTION],
    });
  }
  return result(
    'counts',
    title,
    'agrees',
    'Requests a second are no more than the rate, which confirms no figure.',
    parts,
  );
}
