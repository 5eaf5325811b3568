/** A client against an earlier result of it, or against another client that ran beside it: only a change for the worse is a regression. Pure. */
import { differenceOf } from '../../measure/difference.ts';
import { allowedMs, type Tolerance } from '../../measure/envelope/tolerance.ts';
import { FIRST_LOOK, judgeLook, lookAt } from '../../measure/gate/looks.ts';
import type { Interval } from '../../measure/intervals.ts';
import { mean } from '../../measure/quantile.ts';
import type { Floor } from '../document.ts';
import type { GateCheck } from './document.ts';
import { type Cell, countedOf, type Rule } from './judge.ts';
import { biasValues, rateValues } from './values.ts';

/** What a change is judged by. */
export interface ChangeRule extends Rule {
  /** What it may get worse by beyond the floor of the machine: its `rate` and `bias`. */
  readonly allow: Tolerance;
  /** Of the other side's session; null where it ran in this one. */
  readonly otherFloor: Floor | null;
  readonly comparedWith: string;
}

/** Figures that are further from the truth, by how much, have their sign turned so that more is worse. */
const worseSign = (before: number, now: number): 1 | -1 => (before + now < 0 ? -1 : 1);

interface Side {
  readonly values: readonly number[];
  readonly floor: number | null;
}

function changeCheck(
  of: Pick<GateCheck, 'name' | 'client' | 'rate_rps' | 'unit'>,
  { before, now, allowed, look }: { before: Side; now: Side; allowed: number; look: number },
  rule: ChangeRule,
): GateCheck {
  const floors = [before.floor, now.floor].filter((floor) => floor !== null);
  const floor = floors.length === 0 ? null : Math.max(...floors);
  const limit = allowed + (floor ?? 0);
  const base = {
    kind: 'change' as const,
    ...of,
    before: before.values.length === 0 ? null : mean(before.values),
    now: now.values.length === 0 ? null : mean(now.values),
    compared_with: rule.comparedWith,
    trials: now.values.length,
    floor,
  };
  if (before.values.length === 0 || now.values.length === 0)
    return {
      ...base,
      state: 'notJudged',
      value: null,
      low: null,
      high: null,
      confidence: null,
      limit_low: null,
      limit_high: null,
      reason: `${before.values.length === 0 ? rule.comparedWith : 'this gate'} has no such figure`,
      remedy: '',
    };
  const difference = mean(now.values) - mean(before.values);
  const sign = worseSign(mean(before.values), mean(now.values));
  const worse = ({ low, high }: Interval) =>
    sign === 1 ? { least: low, most: high } : { least: -high, most: -low };
  const { state, interval, confidence } = judgeLook(
    (parts) =>
      now.values.length < FIRST_LOOK ? null : differenceOf(before.values, now.values, limit, parts).interval,
    look,
    rule.checks,
    // Better by however much is no failure.
    { within: (one) => worse(one).most <= limit, beyond: (one) => worse(one).least > limit },
  );
  return {
    ...base,
    state,
    value: difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    confidence,
    limit_low: sign === -1 ? -limit : null,
    limit_high: sign === 1 ? limit : null,
    reason:
      state !== 'undetermined'
        ? ''
        : interval === null
          ? `an interval needs two repetitions before and ${FIRST_LOOK} now, and ${before.values.length} and ${now.values.length} are there`
          : 'its interval reaches over what it may get worse by',
    remedy: state === 'undetermined' ? 'more repetitions on both sides (--budget), or a greater --allow' : '',
  };
}

/** How a client at a rate changed: its rate, and each figure that has a tolerance. */
export function judgeChange(
  cell: Cell,
  before: readonly Cell['trials'][number][],
  rule: ChangeRule,
): GateCheck[] {
  const [now, then] = [countedOf(cell.trials, rule.cores), countedOf(before, rule.cores)];
  const look = lookAt(now.length);
  const of = { client: cell.client, rate_rps: cell.rate_rps };
  const off = (trials: typeof now): Side => ({
    values: rateValues(trials, cell.facts).map(({ share }) => share - 1),
    floor: null,
  });
  const otherFloor = rule.otherFloor ?? rule.floor;
  return [
    changeCheck(
      { ...of, name: 'rate', unit: 'share' },
      { before: off(then), now: off(now), allowed: rule.allow.rate, look },
      rule,
    ),
    ...rule.tolerance.bias.map((figure) => {
      const both = [biasValues(now, figure, rule.floor), biasValues(then, figure, otherFloor)];
      // Like with like: by pairs only where both sides have them.
      const by = both.every((side) => side.by === 'pairs') ? 'pairs' : 'figures';
      const side = (trials: typeof now, floor: Floor | null): Side => {
        const { values, floor_ms } = biasValues(trials, figure, floor, by);
        return { values, floor: floor_ms };
      };
      const allowance = rule.allow.bias.find(
        ({ metric, statistic }) => metric === figure.metric && statistic === figure.statistic,
      );
      return changeCheck(
        { ...of, name: `${figure.metric}_${figure.statistic}`, unit: 'ms' },
        {
          before: side(then, otherFloor),
          now: side(now, rule.floor),
          allowed: allowance === undefined ? 0 : allowedMs(allowance, both[0]!.expected_ms),
          look,
        },
        rule,
      );
    }),
  ];
}
