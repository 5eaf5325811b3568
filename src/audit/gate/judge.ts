/** A client at a rate held to the tolerance, over the repetitions so far. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import { judgeBias } from '../../measure/envelope/judge.ts';
import { allowedMs, type BiasTolerance, type Tolerance } from '../../measure/envelope/tolerance.ts';
import { FIRST_LOOK, judgeLook, lookAt, meanAt, repetitionsFor } from '../../measure/gate/looks.ts';
import type { Interval } from '../../measure/intervals.ts';
import { mean } from '../../measure/quantile.ts';
import type { Floor, Trial } from '../document.ts';
import { disturbance, targetLimit } from '../envelope/target-limit.ts';
import { type CheckState, cellName, type GateCheck } from './document.ts';
import { biasValues, type RateSeries, rateSeries } from './values.ts';

/** So many runs that give no figures are no accident. */
export const FAILURES = 2;

/** All that a verdict rests on, but for the repetitions. */
export interface Rule {
  readonly tolerance: Tolerance;
  /** The tolerance was asked for: a figure that is not given is then no matter of course. */
  readonly explicit: boolean;
  readonly floor: Floor | null;
  /** Checks with an interval in the whole gate. */
  readonly checks: number;
  /** Cores that a client may use. */
  readonly cores: number;
}

export interface Cell {
  readonly client: string;
  readonly rate_rps: number;
  readonly facts: Pick<ClientFacts, 'constantIsPoisson'>;
  /** In the order they ran. */
  readonly trials: readonly Trial[];
}

/** It ran, and gave figures. */
export const hasFigures = ({ outcome }: Trial): boolean =>
  outcome.kind === 'measured' || outcome.kind === 'saturated';

/** Why a repetition is in no figure: what the machine or the target did to it, whatever came out; null: it counts. */
export function leftOut(trial: Trial, cores: number): string | null {
  if (trial.outcome.kind === 'incomplete' || trial.outcome.kind === 'clientMissing')
    return trial.outcome.reason;
  return disturbance(trial, cores) ?? targetLimit(trial);
}

/** The repetitions that count. */
export const countedOf = (trials: readonly Trial[], cores: number): Trial[] =>
  trials.filter((trial) => leftOut(trial, cores) === null);

const COUNT: Pick<GateCheck, 'low' | 'high' | 'confidence' | 'floor'> = {
  low: null,
  high: null,
  confidence: null,
  floor: null,
};

/** Whether it ran at all. One failure of several is no accident to be passed over, and not enough to condemn it. */
function runCheck(cell: Cell, counted: readonly Trial[]): GateCheck {
  const failed = counted.filter((trial) => !hasFigures(trial));
  const [first] = failed;
  const why = first === undefined || !('reason' in first.outcome) ? '' : first.outcome.reason;
  const state: CheckState =
    failed.length >= FAILURES
      ? 'fail'
      : failed.length > 0 || counted.length < FIRST_LOOK
        ? 'undetermined'
        : 'pass';
  return {
    ...COUNT,
    kind: 'run',
    name: 'run',
    client: cell.client,
    rate_rps: cell.rate_rps,
    state,
    unit: 'runs',
    value: failed.length,
    limit_low: null,
    limit_high: 0,
    trials: counted.length,
    reason:
      first !== undefined
        ? `${failed.length} of ${counted.length} runs gave no figures (${first.outcome.kind}): ${why}`
        : counted.length < FIRST_LOOK
          ? `${counted.length} of the ${FIRST_LOOK} repetitions that a verdict needs at least`
          : '',
    remedy:
      first !== undefined
        ? `see what it wrote: --out DIR keeps it in trials/${first.id}`
        : counted.length < FIRST_LOOK
          ? 'give the gate more time: --budget'
          : '',
  };
}

/**
 * What more repetitions would do, in words.
 * @param limits where the value itself lies within, it is to pass, and that takes fewer
 */
function moreWords(
  values: readonly number[],
  limits: readonly [low: number, high: number],
  checks: number,
): string {
  if (values.length < FIRST_LOOK) return 'give the gate more time: --budget';
  const [low, high] = limits;
  const value = mean(values);
  const isWithin = value >= low && value <= high;
  const distance = Math.min(Math.abs(value - low), Math.abs(value - high));
  const n = repetitionsFor(values, distance, isWithin ? 1 : checks);
  return n === null
    ? 'it is too near the limit for repetitions to tell: take longer ones (--duration), or another tolerance'
    : `about ${n} repetitions would tell (a greater --budget), or longer ones (--duration)`;
}

const TOO_FEW = (n: number): string =>
  `${n} of the ${FIRST_LOOK} repetitions that an interval needs at least`;

/** In every repetition more than twice what is allowed is missing, beyond what chance and unlike answers explain: that is no matter of an interval. */
const isFarBehind = ({ shares, chance, spread }: RateSeries, tolerance: number): boolean =>
  shares.length >= FIRST_LOOK && shares.every((share) => share < 1 - 2 * tolerance - chance - spread);

const OF = {
  arrivals: 'of the asked rate arrived',
  requests: 'of its requests were completed',
  completions: 'of the asked rate was completed',
  successes: 'of its requests succeeded, by its own count',
} as const;

const RANK: Readonly<Record<CheckState, number>> = {
  fail: 0,
  invalid: 1,
  undetermined: 2,
  notJudged: 3,
  pass: 4,
};

/** Of several judgements in one check that which is worst, and of equal ones that with the value farthest off; null of none. */
export const worstOf = <T extends { readonly state: CheckState; readonly off: number }>(
  judged: readonly T[],
): T | null =>
  judged.reduce<T | null>(
    (most, one) =>
      most === null ||
      RANK[one.state] < RANK[most.state] ||
      (one.state === most.state && one.off > most.off + 1e-12)
        ? one
        : most,
    null,
  );

/** What would decide an open rate. */
function rateRemedy(
  { shares, chance }: RateSeries,
  limits: readonly [number, number],
  checks: number,
): string {
  const more = moreWords(shares, limits, checks);
  return chance === 0
    ? more
    : `its arrivals are random, and chance alone moves the rate of one repetition by up to ${(100 * chance).toFixed(1)} %: take longer repetitions (--duration, --budget), or a greater tolerance of the rate`;
}

function rateCheck(cell: Cell, counted: readonly Trial[], rule: Rule): GateCheck {
  const { rate } = rule.tolerance;
  const series = rateSeries(counted.filter(hasFigures), cell.facts);
  // Any of them may fail the check: they share its error.
  const checks = rule.checks * Math.max(1, series.length);
  const judged = series.map((one) => {
    const [least, most] = [1 - rate - one.spread, 1 + rate];
    const looked = judgeLook(meanAt(one.shares, one.resolution), lookAt(counted.length), checks, {
      within: ({ low, high }) => low >= least && (!one.twoSided || high <= most),
      beyond: ({ low, high }) => high < least || (one.twoSided && low > most),
    });
    const state: CheckState = isFarBehind(one, rate) ? 'fail' : looked.state;
    return { ...looked, one, state, least, most, off: Math.abs(mean(one.shares) - 1) };
  });
  const shown = worstOf(judged);
  const base = {
    kind: 'rate',
    name: 'rate',
    client: cell.client,
    rate_rps: cell.rate_rps,
    unit: 'share',
    floor: null,
  } as const;
  if (shown === null)
    return {
      ...base,
      ...COUNT,
      state: 'undetermined',
      value: null,
      limit_low: 1 - rate,
      limit_high: 1 + rate,
      trials: 0,
      reason: 'no repetition has a rate',
      remedy: moreWords([], [1 - rate, 1 + rate], checks),
    };
  const { one, state, least, most, interval, confidence } = shown;
  const farthest = one.shares.reduce((far, share) => (Math.abs(share - 1) > Math.abs(far - 1) ? share : far));
  return {
    ...base,
    state,
    value: mean(one.shares),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    confidence,
    limit_low: least,
    limit_high: most,
    trials: one.shares.length,
    reason: `at worst ${(100 * farthest).toFixed(1)} % ${OF[one.of]}`,
    remedy: state === 'undetermined' ? rateRemedy(one, [least, most], checks) : '',
  };
}

function biasCheck(cell: Cell, counted: readonly Trial[], tolerance: BiasTolerance, rule: Rule): GateCheck {
  const found = biasValues(counted.filter(hasFigures), tolerance, rule.floor);
  const { values, floor_ms } = found;
  const allowed = allowedMs(tolerance, found.expected_ms);
  const value = values.length === 0 ? null : mean(values);
  const judged = (interval: Interval | null) =>
    judgeBias(
      {
        bias_ms: value,
        low_ms: interval?.low ?? null,
        high_ms: interval?.high ?? null,
        floor_ms,
        reason: found.reason,
        hasRecords: true,
        worst_tenth_ms: null,
      },
      allowed,
    );
  const looked = judgeLook(meanAt(values, found.resolution_ms), lookAt(counted.length), rule.checks, {
    within: (interval) => judged(interval).verdict === 'holds',
    beyond: (interval) => judged(interval).verdict === 'fails',
  });
  const { interval } = looked;
  const isAbsent = values.length === 0 && counted.some(hasFigures);
  const isBeyond = interval !== null && (interval.low > allowed || interval.high < -allowed);
  // Beyond what is allowed, and within the floor: no repetition helps there.
  const isOfMachine = isBeyond && value !== null && Math.abs(value) <= (floor_ms ?? Infinity);
  const state: CheckState = isAbsent ? (rule.explicit ? 'undetermined' : 'notJudged') : looked.state;
  const open: [reason: string, remedy: string] = isAbsent
    ? [found.reason, 'name figures that it gives: --tolerance']
    : interval === null
      ? [TOO_FEW(values.length), 'give the gate more time: --budget']
      : isOfMachine
        ? [
            `it is beyond what is allowed, and within what the machine itself may add (${floor_ms!.toPrecision(3)} ms)`,
            'a quieter machine, or a tolerance above its floor',
          ]
        : [
            isBeyond
              ? `its interval lies beyond what is allowed, but that which all ${rule.checks} checks share does not yet`
              : 'its interval reaches over what is allowed',
            moreWords(values, [-allowed, allowed], rule.checks),
          ];
  const [reason, remedy] = state === 'pass' || state === 'fail' ? ['', ''] : open;
  return {
    kind: 'bias',
    name: `${tolerance.metric}_${tolerance.statistic}`,
    client: cell.client,
    rate_rps: cell.rate_rps,
    state,
    unit: 'ms',
    value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    confidence: looked.confidence,
    limit_low: -allowed,
    limit_high: allowed,
    floor: floor_ms,
    trials: values.length,
    reason,
    remedy,
  };
}

const isTail = ({ name }: GateCheck): boolean => /_p(9\d*)$/.test(name);

/**
 * Of the default tolerance a tail can only fail, once a median has passed: the p99 of a few seconds is that of the machine's few stalls, and would keep
 * most gates on a shared machine open. Who asks for it by name gets it decided.
 */
function tailsThatOnlyFail(bias: readonly GateCheck[]): readonly GateCheck[] {
  if (!bias.some((check) => !isTail(check) && check.state === 'pass')) return bias;
  return bias.map((check) =>
    isTail(check) && check.state === 'undetermined' && check.low !== null
      ? {
          ...check,
          state: 'notJudged' as const,
          reason: `${check.reason}; of the default tolerance a tail can only fail`,
          remedy: 'name it to have it decided: --tolerance',
        }
      : check,
  );
}

/** Every check of a client at a rate but those of a change. */
export function judgeCell(cell: Cell, rule: Rule): GateCheck[] {
  const counted = countedOf(cell.trials, rule.cores);
  const run = runCheck(cell, counted);
  const bias = rule.tolerance.bias.map((one) => biasCheck(cell, counted, one, rule));
  const rest = [rateCheck(cell, counted, rule), ...(rule.explicit ? bias : tailsThatOnlyFail(bias))];
  // Of a client that does not run nothing else is to be said.
  if (run.state === 'fail' && rest.every(({ value }) => value === null))
    return [
      run,
      ...rest.map((check) => ({
        ...check,
        state: 'notJudged' as const,
        reason: `${cellName(cell.client, cell.rate_rps)} gave no figures`,
        remedy: '',
      })),
    ];
  return [run, ...rest];
}

/**
 * The verdict of checks: any that fails decides; then what is open. Of a client that gives none of the figures only its rate would be judged:
 * that is open, too, unless nothing else was asked for.
 */
export function verdictOf(checks: readonly GateCheck[], asksBias: boolean): CheckState {
  const states = checks.map(({ state }) => state);
  if (states.includes('fail')) return 'fail';
  if (states.includes('invalid')) return 'invalid';
  if (states.includes('undetermined')) return 'undetermined';
  const hasBias = checks.some(({ kind, state }) => kind === 'bias' && state === 'pass');
  return asksBias && !hasBias ? 'undetermined' : 'pass';
}

/**
 * No more repetitions would change it: passed, failed, or open by what no repetition brings. A single run that failed keeps it open, and is no end: a
 * second one would decide.
 */
export function isSettled(checks: readonly GateCheck[], asksBias: boolean): boolean {
  const verdict = verdictOf(checks, asksBias);
  if (verdict === 'pass' || verdict === 'fail') return true;
  const open = checks.filter(({ state }) => state === 'undetermined');
  const [run] = checks;
  if (run === undefined || run.trials < FIRST_LOOK) return false;
  // A figure that one side does not give, or a baseline that is refused: so it stays.
  return open.every(
    ({ kind, value, trials }) =>
      (kind === 'bias' && value === null && trials === 0) || (kind === 'change' && value === null),
  );
}
