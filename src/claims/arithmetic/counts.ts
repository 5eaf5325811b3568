/** Requests sent, completed and failed; and what follows from them with the time. */
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow, Quantity } from '../claim.ts';
import { exactly, fitOf, over, overlap, type Range, rangeOf, scaled } from './range.ts';
import { headlinesOn, overWholeRun, replyLength, totalOf } from './rows.ts';
import { ends, given, inputOf, num, orNothing, percent, result } from './words.ts';

function sums(row: ClaimRow): CheckResult | null {
  const [completed, failed] = [totalOf(row, 'completed'), totalOf(row, 'failed')];
  if (row.requests === null || completed === null) return null;
  const counted = completed.quantity.value + (failed?.quantity.value ?? 0);
  const least = rangeOf(completed.quantity).low + (failed === null ? 0 : rangeOf(failed.quantity).low);
  const sent = rangeOf(row.requests);
  const figures = [completed, failed].filter((one) => one !== null);
  const parts = {
    rows: [row.id],
    figures: figures.map(({ id }) => id),
    inputs: [given(`requests, ${row.id}`, row.requests), ...figures.map(inputOf)],
    working: [
      `${completed.quantity.text}${failed === null ? '' : ` + ${failed.quantity.text}`} = ${num(counted)} of ${row.requests.text}`,
    ],
  };
  const title = `Requests accounted for, row ${row.id}`;
  if (least > sent.high) {
    return result(
      'counts',
      title,
      'contradicts',
      `${num(counted)} requests ended, of ${row.requests.text} that were sent.`,
      {
        ...parts,
        explanations: ['the counts are of different runs or stages', 'retries are counted as requests'],
        questions: ['How many requests were sent, completed and failed in this run?'],
      },
    );
  }
  if (failed === null) return null;
  if (counted < sent.low) {
    return result(
      'counts',
      title,
      'limits',
      `${num(sent.low - counted)} requests neither completed nor failed.`,
      {
        ...parts,
        explanations: [
          'requests under way at the end were cancelled and left out',
          'requests that were due were never sent',
        ],
        questions: ['What became of the requests that neither completed nor failed?'],
      },
    );
  }
  return result('counts', title, 'agrees', 'Completed and failed make the requests sent.', parts);
}

/** Success rate × what it may be a share of. */
function successRate(row: ClaimRow): CheckResult | null {
  const [completed, failed, rate] = (['completed', 'failed', 'success_rate'] as const).map((metric) =>
    totalOf(row, metric),
  );
  if (!completed || !rate) return null;
  const bases = [
    ...(row.requests === null ? [] : [rangeOf(row.requests)]),
    ...(failed ? [exactly(completed.quantity.value + failed.quantity.value)] : []),
  ];
  if (bases.length === 0) return null;
  const share = (base: Range): Range => scaled(over(rangeOf(completed.quantity), base), 100);
  const fit = fitOf((digits) => bases.some((base) => overlap(share(base), rangeOf(rate.quantity, digits))));
  const figures = [completed, rate, ...(failed ? [failed] : [])];
  const parts = {
    rows: [row.id],
    figures: figures.map(({ id }) => id),
    inputs: figures.map(inputOf),
    working: bases.map(
      (base) =>
        `${completed.quantity.text} / ${ends(base)} = ${ends(share(base))} %; printed: ${rate.quantity.text}`,
    ),
  };
  const title = `Success rate, row ${row.id}`;
  if (fit !== 'never')
    return result('counts', title, 'agrees', 'The success rate is completed / requests.', parts);
  return result(
    'counts',
    title,
    'contradicts',
    `The success rate is not ${percent(completed.quantity.value / bases[0]!.high)}, as its counts make it.`,
    {
      ...parts,
      explanations: [
        'the rate leaves out some failures, such as timeouts',
        'rate and counts are of different runs',
      ],
      questions: ['Which requests count as failed?'],
    },
  );
}

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
  // Requests a second may be the offered rate, over the time of sending alone, whatever the window of the rest; tokens cannot be.
  const certain =
    metric === 'output_throughput' &&
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
    'Completed + failed = requests; success rate = completed / requests; completed / duration = requests a second; completed × tokens / duration = tokens a second.',
  run: (claim) =>
    orNothing(
      claim.rows.flatMap((row) =>
        [
          sums(row),
          successRate(row),
          overTime(claim, row, 'request_throughput'),
          overTime(claim, row, 'output_throughput'),
        ].filter((one) => one !== null),
      ),
      'counts',
      'Counts',
      'No row gives counts that can be compared with each other or with a throughput over a time.',
    ),
};
