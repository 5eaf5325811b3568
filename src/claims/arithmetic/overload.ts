/**
 * A sweep of rates whose throughput stops rising while its latency does. That is all that tokens a second say: they are over a window that may hold the
 * drain, and of replies that may be shorter than stated. A capacity, and the delay that it would make (fluid limit), are offered only where the low
 * rates are completed as they are offered, and beside the latency that is printed.
 */
import { growthPerSecond, meanDelayOfRun } from '../../measure/queue/fluid.ts';
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { middle, overlap, type Range, rangeOf } from './range.ts';
import { bySystem, completedRate, headlinesOn } from './rows.ts';
import { sendingTime } from './window.ts';
import { given, inputOf, labelOf, listed, num, orNothing, percent, result } from './words.ts';

/** A rate this much above another, with no more throughput (within a tenth) and a latency of twice that of the lowest rate, is past the rise. */
const HIGHER_RATE = 1.2;
const NO_MORE = 1.1;
const LONGER = 2;
/** At low rates what is completed is the rate, within this or the digits, or else the quotient is no rate of completions. */
const COMPLETES = 0.1;
/** Rates up to this share of what was completed at most are low ones. */
const LOW = 0.8;
/** A prediction within this factor of the latency printed is borne out by it. */
const BORNE_OUT = 2;

interface Level {
  readonly row: ClaimRow;
  readonly lambda: number;
  readonly range: Range;
  readonly completed: number;
  readonly figure: ClaimFigure;
}

function levelsOf(rows: readonly ClaimRow[]): Level[] {
  return rows
    .flatMap((row): Level[] => {
      const rate = completedRate(row);
      const lambda = row.rateRps?.value ?? 0;
      if (rate === null || lambda <= 0 || !Number.isFinite(lambda)) return [];
      const completed = middle(rate.range('rounded'));
      return [{ row, lambda, range: rate.range('cut'), completed, figure: rate.figure }];
    })
    .sort((a, b) => a.lambda - b.lambda);
}

const waits = (row: ClaimRow): readonly ClaimFigure[] =>
  row.figures.filter(({ metric }) => metric === 'ttft' || metric === 'e2e');

const alike = (row: ClaimRow, figure: ClaimFigure): ClaimFigure | undefined =>
  row.figures.find(({ metric, statistic }) => metric === figure.metric && statistic === figure.statistic);

/** Some latency, in the same statistic, is a multiple of what it is at the lowest rate. */
const waitsLonger = (row: ClaimRow, lowest: ClaimRow): boolean =>
  waits(row).some((figure) => {
    const base = alike(lowest, figure);
    return base !== undefined && figure.quantity.value >= LONGER * base.quantity.value;
  });

const pastTheRise = (levels: readonly Level[]): Level[] =>
  levels.filter(
    (level) =>
      waitsLonger(level.row, levels[0]!.row) &&
      levels.some(
        (other) => level.lambda >= HIGHER_RATE * other.lambda && level.completed <= NO_MORE * other.completed,
      ),
  );

/** What was completed at most, a second, where the quotient shows itself to be a rate of completions; null otherwise. */
function capacity(levels: readonly Level[]): number | null {
  const most = Math.max(...levels.map(({ completed }) => completed));
  const low = levels.filter(({ lambda }) => lambda <= LOW * most);
  const holds = low.every(
    ({ row, lambda, completed, range }) =>
      overlap(range, rangeOf(row.rateRps!, 'cut')) || Math.abs(completed / lambda - 1) <= COMPLETES,
  );
  return low.length > 0 && holds ? most : null;
}

interface Held {
  readonly line: string;
  /** null: there is nothing to hold it against. */
  readonly borneOut: boolean | null;
}

/** What a queue at that capacity would add to the mean, beside the mean that is printed. */
function heldAgainst({ row, lambda }: Level, mu: number, lowest: ClaimRow): Held {
  const growth = growthPerSecond(lambda, mu);
  const sending = sendingTime(row);
  const first = `${row.id}: 1 − ${num(mu)} / ${num(lambda)} = ${num(growth)} s later for each second that passes, if ${num(mu)} a second is what it can serve`;
  if (sending === null) return { line: `${first}; how long the step lasted is not stated`, borneOut: null };
  const mean = meanDelayOfRun(lambda, mu, sending.s);
  const whole = `${first}: ${num(mean)} s on average in ${num(sending.s)} s of sending, all served to the end`;
  const printed = waits(row).find(({ statistic }) => statistic === 'mean');
  const base = printed === undefined ? undefined : alike(lowest, printed);
  if (printed === undefined || base === undefined)
    return { line: `${whole}; no mean latency is printed to hold it against`, borneOut: null };
  const added = (printed.quantity.value - base.quantity.value) / 1000;
  return {
    line: `${whole}; printed: ${labelOf(printed.metric, 'mean')} ${printed.quantity.text}, ${num(added)} s more than at the lowest rate`,
    borneOut: added >= mean / BORNE_OUT && added <= mean * BORNE_OUT,
  };
}

function ofSystem(claim: Claim, system: string, rows: readonly ClaimRow[]): CheckResult[] {
  const levels = levelsOf(rows);
  const past = pastTheRise(levels);
  if (past.length === 0) return [];
  const [lowest, last] = [levels[0]!.row, past.at(-1)!.row];
  // A row without a load of its own sums up the levels: its latencies hold those past the rise.
  const sums = rows.filter(({ rateRps, concurrency }) => rateRps === null && concurrency === null);
  const concerned = [...past.map(({ row }) => row), ...sums];
  const ids = concerned.flatMap((row) => waits(row).map(({ id }) => id));
  const shown =
    waits(last).find((figure) => figure.statistic === 'mean' && alike(lowest, figure) !== undefined) ??
    waits(last).find((figure) => alike(lowest, figure) !== undefined)!;
  const best = levels
    .filter((level) => !past.includes(level))
    .reduce((a, b) => (b.completed > a.completed ? b : a), levels[0]!);
  const mu = capacity(levels);
  const held = mu === null ? [] : past.map((level) => heldAgainst(level, mu, lowest));
  const judged = held.filter(({ borneOut }) => borneOut !== null);
  const predicted =
    judged.length === 0
      ? ''
      : judged.every(({ borneOut }) => borneOut)
        ? ` A queue at ${num(mu!)} a second would make latencies as printed, which grow with the time that a rate is held.`
        : ` A queue at ${num(mu!)} a second would make other latencies than those printed.`;
  const words = ({ figure, lambda }: Level) => `${figure.quantity.text} at ${num(lambda)}/s`;
  return [
    result(
      'overload',
      `Rates past the rise of throughput, ${system}`,
      'limits',
      `At ${listed(past.map(({ lambda }) => num(lambda)))} a second throughput no longer rises (${words(best)}, ${words(past.at(-1)!)}) while ${labelOf(shown.metric, shown.statistic)} does (${alike(lowest, shown)!.quantity.text} at ${num(levels[0]!.lambda)}/s, ${shown.quantity.text} at ${num(past.at(-1)!.lambda)}/s).${predicted}`,
      {
        rows: concerned.map(({ id }) => id),
        figures: ids,
        headlines: headlinesOn(claim, ids),
        inputs: levels.flatMap(({ row, figure }) => [
          given(`rate, ${row.id}`, row.rateRps!),
          inputOf(figure),
          ...waits(row)
            .filter(({ metric, statistic }) => metric === shown.metric && statistic === shown.statistic)
            .map(inputOf),
        ]),
        working: [
          ...levels.map(({ row, lambda, figure }) => {
            const wait = alike(row, shown);
            return `${row.id}: ${figure.quantity.text} at ${num(lambda)} a second${wait === undefined ? '' : `, ${labelOf(wait.metric, wait.statistic)} ${wait.quantity.text}`}`;
          }),
          ...(mu === null
            ? [
                `${levels[0]!.row.id}: ${num(levels[0]!.completed)} a second by its throughput, ${percent(levels[0]!.completed / levels[0]!.lambda)} of the lowest rate: no rate of completions is read off, and no delay predicted, where low rates are not completed as offered`,
              ]
            : held.map(({ line }) => line)),
          ...(sums.length === 0
            ? []
            : [
                `${listed(sums.map(({ id }) => id))} sums up levels of which ${past.length} of ${levels.length} are past the rise`,
              ]),
        ],
        explanations: [
          'the rate is above what the system can serve: a queue grows, and latencies are functions of how long a rate was held',
          'a queue that one rate left was there when the next began',
          'the client did not send at the rate stated',
        ],
        questions: [
          'What are the latencies at rates that every system compared can serve?',
          'How long was each rate held, was the queue empty before the next, and is the drain in the window of the throughput?',
        ],
      },
    ),
  ];
}

export const overload: ArithmeticCheck = {
  id: 'overload',
  about:
    'Where throughput no longer rises with the rate and latency does, a queue may be what is measured. Only if the low rates are completed as offered is the highest completed rate μ taken for the capacity: what is served at t would have waited (1 − μ / λ) · t, which is shown beside the latency printed.',
  run: (claim) =>
    orNothing(
      [...bySystem(claim.rows)].flatMap(([system, rows]) => ofSystem(claim, system, rows)),
      'overload',
      'Overload',
      'No system shows a rate past which throughput stops rising and latency does not: that takes two rates with both.',
    ),
};
