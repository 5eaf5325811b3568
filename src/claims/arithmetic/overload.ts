/**
 * Above capacity the queue grows for as long as the step lasts, so that a latency, and a ratio of latencies, is a function of its length. Capacity
 * is what completed throughput shows: it no longer rises with the rate, while the latency does. Growth by the fluid limit.
 */
import { growthPerSecond, meanDelayOfRun } from '../../measure/queue/fluid.ts';
import type { ArithmeticCheck, CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import { middle } from './range.ts';
import { bySystem, completedRate, headlinesOn } from './rows.ts';
import { sendingTime } from './window.ts';
import { given, inputOf, listed, num, orNothing, percent, result } from './words.ts';

/** A rate this much above what is completed, that completes no more than a rate as much lower, and waits longer, is above capacity. */
const HIGHER_RATE = 1.2;
const NO_MORE = 1.1;
const LONGER = 2;

interface Level {
  readonly row: ClaimRow;
  readonly lambda: number;
  readonly completed: number;
  readonly figure: ClaimFigure;
}

function levelsOf(rows: readonly ClaimRow[]): Level[] {
  return rows
    .flatMap((row): Level[] => {
      const rate = completedRate(row);
      const lambda = row.rateRps?.value ?? 0;
      if (rate === null || lambda <= 0 || !Number.isFinite(lambda)) return [];
      return [{ row, lambda, completed: middle(rate.range('rounded')), figure: rate.figure }];
    })
    .sort((a, b) => a.lambda - b.lambda);
}

const waits = (row: ClaimRow): readonly ClaimFigure[] =>
  row.figures.filter(({ metric }) => metric === 'ttft' || metric === 'e2e');

/** Some latency, in the same statistic, is a multiple of what it is at the lowest rate. */
const waitsLonger = (row: ClaimRow, lowest: ClaimRow): boolean =>
  waits(row).some((figure) => {
    const base = lowest.figures.find(
      ({ metric, statistic }) => metric === figure.metric && statistic === figure.statistic,
    );
    return base !== undefined && figure.quantity.value >= LONGER * base.quantity.value;
  });

function overloaded(levels: readonly Level[]): Level[] {
  return levels.filter(
    (level) =>
      level.lambda >= HIGHER_RATE * level.completed &&
      waitsLonger(level.row, levels[0]!.row) &&
      levels.some(
        (other) =>
          other !== level &&
          level.lambda >= HIGHER_RATE * other.lambda &&
          level.completed <= NO_MORE * other.completed,
      ),
  );
}

function workingOf({ row, lambda }: Level, mu: number): string[] {
  const growth = growthPerSecond(lambda, mu);
  const sending = sendingTime(row);
  const first = `${row.id}: 1 − ${num(mu)} / ${num(lambda)} = ${num(growth)} s later for each second that passes`;
  if (sending === null) return [`${first}; how long the step lasted is not stated`];
  return [
    `${first}: ${num(growth * sending.s)} s after ${num(sending.s)} s of sending, ${num(meanDelayOfRun(lambda, mu, sending.s))} s on average if all are served to the end; twice that for a step of twice the length`,
  ];
}

function ofSystem(claim: Claim, system: string, rows: readonly ClaimRow[]): CheckResult[] {
  const levels = levelsOf(rows);
  const above = overloaded(levels);
  if (above.length === 0) return [];
  const mu = Math.max(...levels.map(({ completed }) => completed));
  // A row without a load of its own sums up the levels: its latencies hold those above capacity.
  const sums = rows.filter(({ rateRps, concurrency }) => rateRps === null && concurrency === null);
  const concerned = [...above.map(({ row }) => row), ...sums];
  const ids = concerned.flatMap((row) => waits(row).map(({ id }) => id));
  const rates = above.map(({ lambda }) => num(lambda));
  return [
    result(
      'overload',
      `Rates above capacity, ${system}`,
      'limits',
      `At ${listed(rates)} a second it completed no more than ${num(mu)}: latency grows for as long as a step lasts, so these latencies, and ratios to them, are functions of the steps' length.`,
      {
        rows: concerned.map(({ id }) => id),
        figures: ids,
        headlines: headlinesOn(claim, ids),
        inputs: levels.flatMap(({ row, figure }) => [
          given(`rate, ${row.id}`, row.rateRps!),
          inputOf(figure),
        ]),
        working: [
          ...levels.map(
            ({ row, lambda, completed }) =>
              `${row.id}: ${num(completed)} completed of ${num(lambda)} a second, ${percent(completed / lambda)}`,
          ),
          ...above.flatMap((level) => workingOf(level, mu)),
          ...(sums.length === 0
            ? []
            : [
                `${listed(sums.map(({ id }) => id))} sums up levels of which ${above.length} of ${levels.length} are above capacity`,
              ]),
        ],
        explanations: ['the rate is above what the system can serve; the queue is measured, not the system'],
        questions: [
          'What are the latencies at rates that every system compared can serve?',
          'How long was each rate held, and was the queue empty before the next?',
        ],
      },
    ),
  ];
}

export const overload: ArithmeticCheck = {
  id: 'overload',
  about:
    'Where completed throughput no longer rises with the rate and latency does, the rate is above capacity: what is served at t has waited (1 − μ / λ) · t, so that a ratio of latencies there is a function of how long the step lasted.',
  run: (claim) =>
    orNothing(
      [...bySystem(claim.rows)].flatMap(([system, rows]) => ofSystem(claim, system, rows)),
      'overload',
      'Overload',
      'No system shows a rate above its capacity: that takes two rates with completed throughput and a latency.',
    ),
};
