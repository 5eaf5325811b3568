/**
 * Little's law over a sweep of concurrencies, with any one statistic of the latency: while the load really grows with the concurrency,
 * throughput × latency / concurrency stays what it is; a level that ran at fewer in flight shows less.
 */
import type { CheckResult } from '../arithmetic-check.ts';
import type { Claim, ClaimFigure, ClaimRow, ClaimStatistic } from '../claim.ts';
import { bySystem, type CompletedRate, completedRate, figureOf, headlinesOn } from './rows.ts';
import { inputOf, labelOf, listed, num, result } from './words.ts';

const STATISTICS: readonly ClaimStatistic[] = [
  'mean',
  null,
  'p50',
  'p75',
  'p90',
  'p95',
  'p99',
  'p999',
  'max',
];
/** The product counts as constant within this; a level with less than `FEWER` of it ran at fewer in flight. */
const CONSTANT = 0.05;
const FEWER = 0.9;

interface Level {
  readonly row: ClaimRow;
  readonly slots: number;
  readonly rate: CompletedRate;
  readonly latency: ClaimFigure;
  /** Throughput as printed × latency / concurrency. */
  readonly product: number;
}

function levelsOf(rows: readonly ClaimRow[], statistic: ClaimStatistic): Level[] {
  return rows
    .flatMap((row): Level[] => {
      const [rate, latency] = [completedRate(row), figureOf(row, 'e2e', [statistic])];
      const slots = row.concurrency?.value ?? 0;
      if (rate === null || latency === null || slots <= 0) return [];
      const product = (rate.figure.quantity.value * latency.quantity.value) / 1000 / slots;
      return [{ row, slots, rate, latency, product }];
    })
    .sort((a, b) => a.slots - b.slots);
}

/** The levels from the lowest on over which the product is constant. */
function constantLevels(levels: readonly Level[]): readonly Level[] {
  const first = levels[0]!.product;
  const end = levels.findIndex(({ product }) => Math.abs(product / first - 1) > CONSTANT);
  return end < 0 ? levels : levels.slice(0, end);
}

function sweep(
  claim: Claim,
  system: string,
  statistic: ClaimStatistic,
  levels: readonly Level[],
): CheckResult | null {
  const constant = constantLevels(levels);
  const rest = levels.slice(constant.length);
  if (constant.length < 2 || rest.length === 0) return null;
  const base = constant.at(-1)!;
  const fewer = rest.filter(({ product }) => product < FEWER * base.product);
  if (fewer.length < rest.length) return null;
  const ran = rest.map(({ product, slots }) => (slots * product) / base.product);
  const same = ran.every((count) => Math.abs(count / base.slots - 1) <= CONSTANT);
  const ids = rest.flatMap(({ rate, latency }) => [rate.figure.id, latency.id]);
  const name = labelOf('e2e', statistic);
  const asked = listed(rest.map(({ slots }) => num(slots)));
  return result(
    'littles-law',
    `Little's law over the sweep, ${system}`,
    'limits',
    `Throughput × ${name} / concurrency is constant up to ${num(base.slots)} and then falls: the levels ${asked} ran at about ${listed(ran.map(num))} in flight${same ? `, as the level ${num(base.slots)} did` : ''}.`,
    {
      rows: rest.map(({ row }) => row.id),
      figures: ids,
      headlines: headlinesOn(claim, ids),
      inputs: levels.flatMap(({ rate, latency }) => [inputOf(rate.figure), inputOf(latency)]),
      working: [
        ...levels.map(
          ({ rate, latency, slots, product }) =>
            `${rate.figure.quantity.text} × ${latency.quantity.text} / ${num(slots)} = ${product.toFixed(1)}`,
        ),
        ...rest.map(
          ({ slots, product }, at) =>
            `${num(slots)} × ${product.toFixed(1)} / ${base.product.toFixed(1)} = ${num(ran[at]!)} in flight, if ${name} stands to the mean as at ${num(base.slots)}`,
        ),
      ],
      explanations: [
        same
          ? `no more than ${num(base.slots)} requests were sent at a level, so that more slots could not be filled`
          : 'too few requests were sent at the higher levels to fill their slots',
        'the client caps what is in flight: a pool of connections, a semaphore, one busy event loop',
        'the server refused or queued what was above a limit of its own, outside the latency that was measured',
      ],
      questions: [
        'How many requests were sent at each level?',
        'How many were in flight over time, as the server counted them?',
      ],
    },
  );
}

/** One result a system whose sweep shows it. */
export function inFlightOverSweep(claim: Claim): CheckResult[] {
  return [...bySystem(claim.rows)].flatMap(([system, rows]) => {
    for (const statistic of STATISTICS) {
      const lengths = new Map<string, ClaimRow[]>();
      for (const row of rows) {
        const key = `${row.inputTokens?.value} ${row.outputTokens?.value} ${row.run}`;
        lengths.set(key, [...(lengths.get(key) ?? []), row]);
      }
      const found = [...lengths.values()].flatMap((group) => {
        const levels = levelsOf(group, statistic);
        const one = levels.length < 3 ? null : sweep(claim, system, statistic, levels);
        return one === null ? [] : [one];
      });
      if (found.length > 0) return found;
    }
    return [];
  });
}
