/**
 * Little's law: requests in flight = requests completed a second × their mean latency. Over a window that holds all requests from start to end
 * it is an identity of sums (Σ latency / T), whatever the distribution. J. D. C. Little, Operations Research 9 (1961) 383–387.
 */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { inFlightOverSweep } from './little-sweep.ts';
import { type Digits, fitOf, middle, type Range, rangeOf, scaled, times } from './range.ts';
import {
  assumptions,
  type CompletedRate,
  completedRate,
  figureOf,
  headlinesOn,
  meanOf,
  overWholeRun,
  statedMeans,
} from './rows.ts';
import { ends, given, inputOf, labelOf, num, orNothing, percent, result } from './words.ts';

/** Slots that are filled to less than this share are worth asking about; what start and end of a long run cost is less. */
export const WELL_FILLED = 0.95;

const UNDERFILLED = [
  'the start and the end of the run, where slots are empty, are inside the window: too few requests for so many slots',
  'the client did not keep that many requests in flight: a pool, a semaphore or one busy event loop caps it',
  'throughput and latency are of different windows or runs',
];
const QUESTIONS = [
  'How many requests were sent at this concurrency, and which of them are the figures over?',
  'How many requests were in flight over time, as the server counted them?',
];

const inFlight = (rate: CompletedRate, latency: ClaimFigure, digits: Digits): Range =>
  scaled(times(rate.range(digits), rangeOf(latency.quantity, digits)), 1e-3);

/**
 * Is it sure that the rate is one of completions? Requests a second may be offered, tokens that the client counts
 * more than were made, and a mean length that of other requests than those completed.
 */
const countsCompleted = (claim: Claim, row: ClaimRow, { figure }: CompletedRate): boolean =>
  figure.metric === 'output_throughput' &&
  row.outputLength === 'fixed' &&
  claim.measurement.tokenSource === 'usage';

function withMean(claim: Claim, row: ClaimRow, rate: CompletedRate, latency: ClaimFigure): CheckResult {
  const slots = row.concurrency!;
  const range = inFlight(rate, latency, 'rounded');
  const above = fitOf((digits) => inFlight(rate, latency, digits).low <= slots.value * (1 + 1e-9));
  const share = middle(range) / slots.value;
  const figures = [rate.figure, latency];
  const ids = figures.map(({ id }) => id);
  const parts = {
    rows: [row.id],
    figures: ids,
    inputs: [...figures.map(inputOf), given(`concurrency, ${row.id}`, slots)],
    working: [
      ...assumptions(figures),
      `${rate.term} × ${latency.quantity.text} = ${ends(range)} in flight, ${percent(share)} of ${num(slots.value)}`,
    ],
  };
  const title = `Little's law, row ${row.id}`;
  if (above !== 'fits') {
    const certain =
      above === 'never' &&
      statedMeans([latency]) &&
      countsCompleted(claim, row, rate) &&
      claim.measurement.t0 === 'sent' &&
      overWholeRun(claim);
    return result(
      'littles-law',
      title,
      certain ? 'contradicts' : 'limits',
      `Throughput and latency need ${num(range.low)} requests in flight or more, where ${num(slots.value)} is stated.`,
      {
        ...parts,
        headlines: headlinesOn(claim, ids),
        explanations: [
          'the latency runs from when a request was due or queued, and holds the wait for a slot',
          'the latency is not a mean, or it is over other requests than the throughput',
          'the throughput is that of a part of the run',
        ],
        questions: ['From when does the clock of a request run: due, queued or sent?', ...QUESTIONS],
      },
    );
  }
  if (range.high < WELL_FILLED * slots.value) {
    return result(
      'littles-law',
      title,
      'limits',
      `${num(middle(range))} requests were in flight on average, not ${num(slots.value)}: the figures are of a load that filled ${percent(share)} of the slots.`,
      { ...parts, headlines: headlinesOn(claim, ids), explanations: UNDERFILLED, questions: QUESTIONS },
    );
  }
  return result(
    'littles-law',
    title,
    'agrees',
    `Throughput × latency gives the concurrency stated: ${percent(share)} of it.`,
    parts,
  );
}

const SHARE: Partial<Record<string, number>> = { p999: 0.999, p99: 0.99, p95: 0.95, p90: 0.9, p75: 0.75 };

/**
 * A percentile bounds no mean: what is above it may be any length. So the arithmetic is turned round: how long would the slowest few have to
 * take for the stated concurrency to be right?
 */
function withQuantile(claim: Claim, row: ClaimRow, rate: CompletedRate): CheckResult | null {
  const latency = figureOf(row, 'e2e', ['max', 'p999', 'p99', 'p95', 'p90', 'p75']);
  if (latency === null) return null;
  const slots = row.concurrency!;
  const range = inFlight(rate, latency, 'cut');
  if (range.high >= WELL_FILLED * slots.value) return null;
  const name = labelOf('e2e', latency.statistic);
  const bound = middle(inFlight(rate, latency, 'rounded'));
  const working = [
    `${rate.term} × ${latency.quantity.text} = ${num(bound)} in flight, were every request as slow as the ${name}`,
  ];
  let finding = `No more than ${num(range.high)} requests were in flight on average, not ${num(slots.value)}: no request took longer than the ${name}.`;
  const share = SHARE[latency.statistic ?? ''];
  if (share !== undefined) {
    const perSecond = middle(rate.range('rounded'));
    const above = (slots.value / perSecond - (share * latency.quantity.value) / 1000) / (1 - share);
    const part = `${num(100 * (1 - share))} %`;
    working.push(
      `for ${num(slots.value)} in flight the mean would be ${num(slots.value)} / ${num(perSecond)} a second = ${num(slots.value / perSecond)} s, so the slowest ${part} would have to take ${num(above)} s on average`,
    );
    finding = `No more than about ${num(bound)} requests were in flight on average, not ${num(slots.value)}, unless the slowest ${part} took ${num(above)} s each.`;
    if (row.requests !== null) {
      const run = row.requests.value / perSecond;
      working.push(
        `${num(row.requests.value)} requests at ${num(perSecond)} a second take ${num(run)} s in all`,
      );
      if (above > run)
        finding = `No more than about ${num(bound)} requests were in flight on average, not ${num(slots.value)}: for that the slowest ${part} would have to take ${num(above)} s each, longer than the ${num(run)} s of the run.`;
    }
  }
  const ids = [rate.figure.id, latency.id];
  return result('littles-law', `Little's law, row ${row.id}`, 'limits', finding, {
    rows: [row.id],
    figures: ids,
    headlines: headlinesOn(claim, ids),
    inputs: [inputOf(rate.figure), inputOf(latency), given(`concurrency, ${row.id}`, slots)],
    working,
    explanations: UNDERFILLED,
    questions: QUESTIONS,
  });
}

export const littlesLaw: ArithmeticCheck = {
  id: 'littles-law',
  about:
    'Completed requests a second × mean latency is the number in flight, which is compared with the concurrency stated. Of a percentile only what the slowest requests would have to take is said; over a sweep, where the product stops growing.',
  run(claim) {
    const results: CheckResult[] = [];
    for (const row of claim.rows) {
      const rate = completedRate(row);
      if (row.concurrency === null || row.concurrency.value <= 0 || rate === null) continue;
      const latency = meanOf(row, 'e2e');
      const one = latency === null ? withQuantile(claim, row, rate) : withMean(claim, row, rate, latency);
      if (one !== null) results.push(one);
    }
    return orNothing(
      [...results, ...inFlightOverSweep(claim)],
      'littles-law',
      "Little's law",
      'No row gives a concurrency, a completed rate and a latency from start to end that say how many were in flight.',
    );
  },
};
