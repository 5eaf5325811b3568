/** What a client makes of tokens: their number, and the gaps between them. */
import { toMs } from '../time.ts';
import { estimate, meanOf, median } from './estimate.ts';
import type { Evidence, Pairs } from './evidence.ts';
import { exactly, type Fault, fault } from './fault.ts';

/** Nearly all requests must show it. */
const MOST = 0.9;
/** Least cost of a token that is told from the reading of several events in one segment, ms. */
const LEAST_COST_MS = 0.02;

/** The commonest value, and the share of values that have it. */
function commonest(values: readonly number[]): { value: number; share: number } {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = { value: Number.NaN, share: 0 };
  for (const [value, count] of counts)
    if (count / values.length > best.share) best = { value, share: count / values.length };
  return best;
}

function countFault({ stated }: Evidence, pairs: Pairs): Fault | null {
  if (stated.definitions.tokenSource === 'requested') return null;
  const differences = pairs.records.flatMap((record, k) =>
    record.outputTokens === null ? [] : [record.outputTokens - pairs.delivered[k]!],
  );
  if (differences.length === 0) return null;
  const { value, share } = commonest(differences);
  if (value !== 0 && share >= MOST)
    return fault(
      'token-count',
      exactly(value),
      `${Math.round(100 * share)} % of its answers have ${value > 0 ? '+' : ''}${value} tokens to what was sent`,
    );
  const off = differences.filter((difference) => difference !== 0).length / differences.length;
  if (off < 1 - MOST) return null;
  return fault(
    'token-count',
    estimate(Float64Array.from(differences), meanOf),
    `${Math.round(100 * off)} % of its answers have another number of tokens than was sent`,
  );
}

/** Mean gap between the tokens of row r as they were written, ms. */
const writtenGapMs = ({ ledger }: Evidence, r: number): number =>
  toMs(ledger.lastNs[r]! - ledger.firstNs[r]!) / Math.max(1, ledger.deliveredTokens[r]! - 1);

function gapFaults(evidence: Evidence, pairs: Pairs): Fault[] {
  const { toleranceMs } = evidence;
  const counted = pairs.records.flatMap((record, k) =>
    record.itlMs === null || pairs.delivered[k]! < 3
      ? []
      : [{ record, k, itl: record.itlMs, wanted: pairs.delivered[k]! - 1 }],
  );
  if (counted.length === 0) return [];
  const extra = commonest(counted.map(({ itl, wanted }) => itl.length - wanted));
  const excess = Float64Array.from(counted, ({ itl, k }) =>
    itl.length === 0 ? Number.NaN : meanOf(itl) - writtenGapMs(evidence, pairs.row[k]!),
  );
  const size = estimate(excess, meanOf);
  const firstIsTtft = counted.filter(
    ({ record, itl }) => record.ttftMs !== null && Math.abs((itl[0] ?? 0) - record.ttftMs) < toleranceMs,
  );
  // Added as a gap, or put in the place of the first one.
  const isIn = (extra.value === 1 || extra.value === 0) && extra.share >= MOST && size.low > 0;
  if (isIn && firstIsTtft.length >= MOST * counted.length)
    return [
      fault(
        'ttft-in-itl',
        size,
        `the first gap of each answer is its TTFT: mean ITL ${size.size.toFixed(2)} ms too high`,
      ),
    ];
  if (extra.value < 0) {
    const ratio = estimate(
      Float64Array.from(counted, ({ itl, k }) => meanOf(itl) / writtenGapMs(evidence, pairs.row[k]!)),
      median,
    );
    const fewer = median(counted.map(({ itl, wanted }) => wanted / Math.max(1, itl.length)));
    if (ratio.size > 1.5 && fewer > 1.5)
      return [
        fault(
          'itl-per-chunk',
          ratio,
          `its answers have ${fewer.toFixed(1)} times fewer gaps than tokens, and each is ${ratio.size.toFixed(2)} times as long`,
        ),
      ];
  }
  const differs = size.low > toleranceMs || size.high < -toleranceMs;
  return differs ? [fault('unnamed', size, `its mean ITL is off by ${size.size.toFixed(2)} ms`)] : [];
}

/** Tokens that left in one write and are stamped one after the other. */
function costFault(pairs: Pairs): Fault | null {
  const perToken = Float64Array.from(pairs.records, (record, k) => {
    const { itlMs } = record;
    return pairs.apart[k] === 1 || pairs.delivered[k]! < 3 || itlMs === null || itlMs.length === 0
      ? Number.NaN
      : 1000 * median(itlMs);
  });
  const cost = estimate(perToken, median);
  if (!(cost.low > 1000 * LEAST_COST_MS)) return null;
  return fault(
    'cost-per-token',
    cost,
    `tokens that were written together are stamped ${cost.size.toFixed(0)} µs apart`,
  );
}

/** Faults of counting tokens and gaps. */
export function tokenFaults(evidence: Evidence, pairs: Pairs): Fault[] {
  const count = countFault(evidence, pairs);
  const cost = costFault(pairs);
  return [
    ...(count === null ? [] : [count]),
    ...gapFaults(evidence, pairs),
    ...(cost === null ? [] : [cost]),
  ];
}
