/**
 * Requests sent, completed and failed, and their success rate. Clients count differently: AIPerf and Locust have failures among the completed
 * ones, retries make more failures than requests, guidellm leaves what it cancelled out of all. Only what no way of counting gives is contradicted.
 */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimRow } from '../claim.ts';
import { type Digits, over, overlap, plus, type Range, rangeOf, scaled } from './range.ts';
import { headlinesOn, overWholeRun, totalOf } from './rows.ts';
import { ends, given, inputOf, listed, num, result } from './words.ts';

const WHAT_IS_COUNTED =
  'How many requests were sent, completed and failed in this run, and are failures among the completed ones?';

const requestsOf = (n: number): string => (n === 1 ? '1 request' : `${num(n)} requests`);

/** Completed and failed against what was sent. */
export function requestsAccounted(claim: Claim, row: ClaimRow): CheckResult | null {
  const [completed, failed] = [totalOf(row, 'completed'), totalOf(row, 'failed')];
  if (row.requests === null || completed === null) return null;
  const [done, lost] = [completed.quantity.value, failed?.quantity.value ?? 0];
  const sent = rangeOf(row.requests);
  const figures = [completed, failed].filter((one) => one !== null);
  const parts = {
    rows: [row.id],
    figures: figures.map(({ id }) => id),
    inputs: [given(`requests, ${row.id}`, row.requests), ...figures.map(inputOf)],
    working: [
      `${completed.quantity.text}${failed === null ? '' : ` + ${failed.quantity.text}`} = ${num(done + lost)} of ${row.requests.text}`,
    ],
  };
  const title = `Requests accounted for, row ${row.id}`;
  if (done + lost > sent.high) {
    // Were failures among the completed ones, so many are left that came back well: of the whole run no more than were sent.
    const certain = failed !== null && done - lost > sent.high && overWholeRun(claim);
    const parted =
      failed === null
        ? []
        : [`without failures among them: ${num(done)} − ${num(lost)} = ${num(done - lost)}`];
    return result(
      'counts',
      title,
      certain ? 'contradicts' : 'limits',
      certain
        ? `${num(done - lost)} requests or more were completed, of ${row.requests.text} that were sent.`
        : `${num(done + lost)} requests ended, of ${row.requests.text} that were sent: some are counted twice, or were sent at another time.`,
      {
        ...parts,
        working: [...parts.working, ...parted],
        explanations: certain
          ? ['the counts are of different runs or stages']
          : [
              'failed requests are among the completed ones',
              'retries are counted as failures, or as requests',
              'some were sent before the window and completed in it',
            ],
        questions: [WHAT_IS_COUNTED],
      },
    );
  }
  if (failed === null) return null;
  if (done + lost < sent.low) {
    return result(
      'counts',
      title,
      'limits',
      `${requestsOf(sent.low - done - lost)} neither completed nor failed.`,
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

interface Share {
  readonly words: string;
  readonly usual: boolean;
  readonly range: (digits: Digits) => Range;
}

/** What a success rate may be a share of, by the counts that the row gives. */
function shares(row: ClaimRow): Share[] {
  const [completed, failed] = [totalOf(row, 'completed'), totalOf(row, 'failed')];
  if (completed === null) return [];
  const [done, lost] = [rangeOf(completed.quantity), failed === null ? null : rangeOf(failed.quantity)];
  const of = (words: string, usual: boolean, part: Range, base: Range): Share => ({
    words,
    usual,
    range: () => scaled(over(part, base), 100),
  });
  const [c, r] = [completed.quantity.text, row.requests?.text];
  const found = row.requests === null ? [] : [of(`${c} / ${r}`, true, done, rangeOf(row.requests))];
  if (failed === null || lost === null) return found;
  const f = failed.quantity.text;
  const good = { low: Math.max(0, done.low - lost.high), high: Math.max(0, done.high - lost.low) };
  found.push(of(`${c} / (${c} + ${f})`, true, done, plus(done, lost)));
  found.push(of(`(${c} − ${f}) / ${c}`, false, good, done));
  if (row.requests !== null) {
    const sent = rangeOf(row.requests);
    found.push(of(`(${c} − ${f}) / ${r}`, false, good, sent));
    const rest = { low: Math.max(0, sent.low - lost.high), high: Math.max(0, sent.high - lost.low) };
    found.push(of(`(${r} − ${f}) / ${r}`, false, rest, sent));
  }
  return found;
}

/** The success rate of the row, or of the whole claim, against the counts of the row. Never more than a limit: attempts may be counted. */
export function successRate(claim: Claim, row: ClaimRow): CheckResult | null {
  const own = totalOf(row, 'success_rate');
  const rate = own?.quantity ?? claim.measurement.successRate;
  const known = shares(row);
  if (rate === null || known.length === 0) return null;
  const fitting = known.filter(({ range }) => overlap(range('cut'), rangeOf(rate, 'cut')));
  const counted = (['completed', 'failed'] as const).flatMap((metric) => totalOf(row, metric) ?? []);
  const parts = {
    rows: [row.id],
    inputs: [
      own === null ? given('success rate, as stated of all', rate) : inputOf(own),
      ...counted.map(inputOf),
      ...(row.requests === null ? [] : [given(`requests, ${row.id}`, row.requests)]),
    ],
    working: known.map(({ words, range }) => `${words} = ${ends(range('rounded'))} %; stated: ${rate.text}`),
  };
  const title = `Success rate, row ${row.id}`;
  if (fitting.some(({ usual }) => usual)) {
    // A rate that is stated of the claim as a whole is of other rows too.
    const figures = own === null ? [] : [own, ...counted].map(({ id }) => id);
    return result('counts', title, 'agrees', 'The success rate is completed / requests.', {
      ...parts,
      figures,
    });
  }
  const figures = row.figures.map(({ id }) => id);
  return result(
    'counts',
    title,
    'limits',
    fitting.length > 0
      ? `A success rate of ${rate.text} fits only as ${fitting[0]!.words}: failures are among the completed ones, or others are left out.`
      : `A success rate of ${rate.text} does not follow from the counts, which make ${listed([...new Set(known.map(({ range }) => `${ends(range('rounded'))} %`))])}: which requests these figures are over is open.`,
    {
      ...parts,
      figures,
      headlines: headlinesOn(claim, figures),
      explanations: [
        'requests that were cancelled, or failed in a way of their own (timeouts), are left out of one of them',
        'retries are counted in one of them',
        'rate and counts are of different runs',
      ],
      questions: ['Which requests count as completed and as failed, and which are the figures over?'],
    },
  );
}
