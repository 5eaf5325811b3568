/** Requests sent, completed and failed; and what follows from them with the time. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow, Quantity } from '../claim.ts';
import { requestsAccounted, successRate } from './counts-sums.ts';
import { exactly, over, overlap, rangeOf } from './range.ts';
import { offeredRate, rateOfSending } from './rate-held.ts';
import { headlinesOn, overWholeRun, replyLength, totalOf } from './rows.ts';
import { ends, given, inputOf, orNothing, percent, result } from './words.ts';

/** Arrivals that are drawn at random take a time that differs from n / rate by some 1 / √n: five of them are not chance. */
function chance(claim: Claim, row: ClaimRow, n: Quantity): number {
  const { arrivals } = claim.measurement;
  const drawn = arrivals === null || arrivals === 'poisson' || arrivals === 'trace';
  const open = row.rateRps !== null && Number.isFinite(row.rateRps.value);
  return open && drawn ? 5 / Math.sqrt(Math.max(1, n.value)) : 2 / Math.max(1, n.value);
}

/** A throughput × the time of sending is at most what was completed, if it is over all of the run: drain only lowers it. */
function overTime(
  claim: Claim,
  row: ClaimRow,
  metric: 'request_throughput' | 'output_throughput',
): CheckResult | null {
  const throughput = totalOf(row, metric);
  // Requests a second may be those that were sent, failed ones included; tokens are of those completed.
  const completed = totalOf(row, 'completed')?.quantity ?? row.requests;
  const n = metric === 'request_throughput' ? (row.requests ?? completed) : completed;
  const tokens = metric === 'output_throughput' ? replyLength(row) : exactly(1);
  if (
    throughput === null ||
    n === null ||
    row.durationS === null ||
    row.durationS.value <= 0 ||
    tokens === null
  ) {
    return null;
  }
  const made = { low: n.value * tokens.low, high: n.value * tokens.high };
  const expected = over(made, rangeOf(row.durationS));
  const [unit, what] = metric === 'request_throughput' ? ['req/s', 'requests'] : ['tok/s', 'tokens'];
  const slack = 1 + chance(claim, row, n);
  const title = `${what === 'tokens' ? 'Tokens' : 'Requests'} over time, row ${row.id}`;
  const length = what === 'tokens' ? ` × ${row.outputTokens!.text} tokens` : '';
  const parts = {
    rows: [row.id],
    figures: [throughput.id],
    inputs: [
      inputOf(throughput),
      given(`requests, ${row.id}`, n),
      given(`duration, ${row.id}`, row.durationS),
    ],
    working: [
      `${n.text}${length} / ${row.durationS.text} = ${ends(expected)} ${unit}; printed: ${throughput.quantity.text}`,
    ],
  };
  if (overlap(expected, rangeOf(throughput.quantity, 'cut'))) {
    return result('counts', title, 'agrees', `The ${what} over the time stated give the throughput.`, parts);
  }
  if (rangeOf(throughput.quantity, 'cut').high < expected.low) {
    const share = throughput.quantity.value / expected.low;
    return share > 0.95
      ? null
      : result('counts', title, 'limits', `The throughput is ${percent(share)} of ${what} / duration.`, {
          ...parts,
          headlines: headlinesOn(claim, [throughput.id]),
          explanations: [
            'the window of the throughput holds the drain, the duration only the sending',
            'some requests failed, or replies were shorter than stated',
          ],
          questions: ['From when to when is the time that the throughput is over?'],
        });
  }
  if (rangeOf(throughput.quantity, 'cut').low <= expected.high * slack) return null;
  // What failed or was cancelled may have written tokens too.
  const failed = totalOf(row, 'failed')?.quantity.value ?? 0;
  const most = Math.max(row.requests?.value ?? 0, n.value + failed);
  const least = rangeOf(row.durationS, 'cut').low;
  const beyond = rangeOf(throughput.quantity, 'cut').low * least > most * tokens.high * slack;
  // Requests a second may be the offered rate, over the time of sending alone, whatever the window of the rest; tokens cannot be.
  const certain =
    metric === 'output_throughput' &&
    beyond &&
    row.outputLength === 'fixed' &&
    overWholeRun(claim) &&
    claim.measurement.tokenSource === 'usage';
  return result(
    'counts',
    title,
    certain ? 'contradicts' : 'limits',
    `More ${what} a second than were made in the time stated: ${throughput.quantity.text} against ${ends(expected)} ${unit}.`,
    {
      ...parts,
      headlines: headlinesOn(claim, [throughput.id]),
      explanations: [
        'the throughput is that of a part of the run, or its peak',
        'the duration holds more than this run: warm-up, pauses',
        ...(what === 'tokens' ? ['replies were longer than stated, or tokens were counted twice'] : []),
      ],
      questions: ['From when to when is the time that the throughput is over?'],
    },
  );
}

export const counts: ArithmeticCheck = {
  id: 'counts',
  about:
    'Completed + failed = requests; success rate = completed / requests; requests / duration, and requests a second, against the rate; completed / duration = requests a second; completed × tokens / duration = tokens a second.',
  run: (claim) =>
    orNothing(
      claim.rows.flatMap((row) =>
        [
          requestsAccounted(claim, row),
          successRate(claim, row),
          rateOfSending(claim, row),
          offeredRate(claim, row),
          overTime(claim, row, 'request_throughput'),
          overTime(claim, row, 'output_throughput'),
        ].filter((one) => one !== null),
      ),
      'counts',
      'Counts',
      'No row gives counts that can be compared with each other or with a throughput over a time.',
    ),
};
