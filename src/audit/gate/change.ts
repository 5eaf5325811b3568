/** A client against an earlier result of it, or against another client that ran beside it: only a change for the worse is a regression. Pure. */
import { differenceOf } from '../../measure/difference.ts';
import { allowedMs, type Tolerance } from '../../measure/envelope/tolerance.ts';
import { FIRST_LOOK, judgeLook, lookAt } from '../../measure/gate/looks.ts';
import { mean } from '../../measure/quantile.ts';
import type { Floor } from '../document.ts';
import type { GateCheck } from './document.ts';
import { type Cell, countedOf, hasFigures, type Rule, worstOf } from './judge.ts';
import { biasValues, type RateSeries, rateSeries } from './values.ts';

/** What a change is judged by. */
export interface ChangeRule extends Rule {
  /** What it may get worse by beyond the floor of the machine: its `rate` and `bias`. */
  readonly allow: Tolerance;
  /** Of the other side's session; null where it ran in this one. */
  readonly otherFloor: Floor | null;
  readonly comparedWith: string;
}

interface Side {
  readonly values: readonly number[];
  readonly floor: number | null;
}

/**
 * The values of a side, turned so that their mean is not below zero: more is further from the truth. What is compared is then |mean now| − |mean before|,
 * which has no jump where a figure's mean goes through zero.
 */
const outward = (values: readonly number[]): number[] => {
  const sign = mean(values) < 0 ? -1 : 1;
  return values.map((value) => sign * value);
};

/** Why a side has nothing to compare, and whether that leaves the gate open. */
function absent(
  before: Side,
  now: Side,
  rule: ChangeRule,
  ran: Ran,
): Pick<GateCheck, 'state' | 'reason' | 'remedy'> {
  const other = rule.comparedWith;
  if (ran.before === 0)
    return {
      state: 'undetermined',
      reason: `${other} has no repetition with figures: there is nothing to compare with`,
      remedy: 'see why its runs gave no figures, or compare with another result',
    };
  if (ran.now === 0) return { state: 'notJudged', reason: 'this client gave no figures', remedy: '' };
  if (before.values.length === 0 && now.values.length === 0)
    return { state: 'notJudged', reason: `neither it nor ${other} gives this figure`, remedy: '' };
  return now.values.length === 0
    ? {
        state: 'undetermined',
        reason: `${other} has this figure, and it is given no more: that may be what changed`,
        remedy:
          'see what the client wrote (--out DIR keeps it); name the figures to be judged by --tolerance',
      }
    : {
        state: 'undetermined',
        reason: `${other} has no such figure: there is nothing to compare with`,
        remedy: 'compare with a result that has it, or name other figures by --tolerance',
      };
}

/** Repetitions with figures on either side. */
interface Ran {
  readonly before: number;
  readonly now: number;
}

interface Compared {
  readonly before: Side;
  readonly now: Side;
  readonly allowed: number;
  readonly look: number;
  readonly ran: Ran;
  /** Checks that share the error. */
  readonly checks: number;
}

function changeCheck(
  of: Pick<GateCheck, 'name' | 'client' | 'rate_rps' | 'unit'>,
  { before, now, allowed, look, ran, checks }: Compared,
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
    limit_low: null,
  };
  if (before.values.length === 0 || now.values.length === 0)
    return {
      ...base,
      value: null,
      low: null,
      high: null,
      confidence: null,
      limit_high: null,
      ...absent(before, now, rule, ran),
    };
  const [then, here] = [outward(before.values), outward(now.values)];
  const { state, interval, confidence } = judgeLook(
    (parts) => (here.length < FIRST_LOOK ? null : differenceOf(then, here, limit, parts).interval),
    look,
    checks,
    // Better by however much is no failure.
    { within: ({ high }) => high <= limit, beyond: ({ low }) => low > limit },
  );
  return {
    ...base,
    state,
    value: mean(here) - mean(then),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    confidence,
    limit_high: limit,
    reason:
      state !== 'undetermined'
        ? ''
        : interval === null
          ? `an interval needs two repetitions before and ${FIRST_LOOK} now, and ${before.values.length} and ${now.values.length} are there`
          : 'its interval reaches over what it may get worse by',
    remedy: state === 'undetermined' ? 'more repetitions on both sides (--budget), or a greater --allow' : '',
  };
}

/** The rate: each share of it on its own, and that which is worst shown. */
function rateChange(
  of: Pick<GateCheck, 'client' | 'rate_rps'>,
  [then, now]: readonly [readonly RateSeries[], readonly RateSeries[]],
  at: Pick<Compared, 'look' | 'ran'>,
  rule: ChangeRule,
): GateCheck {
  const kinds = [...new Set([...then, ...now].map((one) => one.of))];
  const side = (series: readonly RateSeries[], kind: string): Side => ({
    values: series.find((one) => one.of === kind)?.shares.map((share) => share - 1) ?? [],
    floor: null,
  });
  const checks = rule.checks * Math.max(1, kinds.length);
  const one = (kind: string) => {
    const check = changeCheck(
      { ...of, name: 'rate', unit: 'share' },
      { ...at, before: side(then, kind), now: side(now, kind), allowed: rule.allow.rate, checks },
      rule,
    );
    return { check, state: check.state, off: check.value ?? 0 };
  };
  // A side's own count may be missing on the other: that is no share of the rate.
  const judged = kinds.map(one).filter(({ check }) => check.value !== null);
  return (worstOf(judged) ?? one('arrivals')).check;
}

/** How a client at a rate changed: its rate, and each figure that has a tolerance. */
export function judgeChange(
  cell: Cell,
  before: readonly Cell['trials'][number][],
  rule: ChangeRule,
): GateCheck[] {
  const counted = countedOf(cell.trials, rule.cores);
  const [now, then] = [counted.filter(hasFigures), countedOf(before, rule.cores).filter(hasFigures)];
  const at = { look: lookAt(counted.length), ran: { before: then.length, now: now.length } };
  const of = { client: cell.client, rate_rps: cell.rate_rps };
  const otherFloor = rule.otherFloor ?? rule.floor;
  return [
    rateChange(of, [rateSeries(then, cell.facts), rateSeries(now, cell.facts)], at, rule),
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
          ...at,
          before: side(then, otherFloor),
          now: side(now, rule.floor),
          allowed: allowance === undefined ? 0 : allowedMs(allowance, both[0]!.expected_ms),
          checks: rule.checks,
        },
        rule,
      );
    }),
  ];
}
