/** What a rule of exclusion comes to for a plan, and the requests that it takes away. */
import { createSchedule } from '../measure/schedule.ts';
import { NANOS_PER_S } from '../measure/time.ts';
import { UserError } from '../system/user-error.ts';
import type { Ended } from './ended.ts';
import { type ExcludeRule, type Exclusion, formatExclude } from './exclude-rule.ts';
import type { LoadOptions, LoadPlan } from './options.ts';
import { OUTCOME } from './outcome.ts';

/** What a rule comes to before the run; null where there is none, or where only the run can tell. Throws a UserError where nothing would be left. */
export function exclusionOf(options: LoadOptions, plan: LoadPlan): Exclusion | null {
  const { exclude: rule } = options;
  if (rule === null) return null;
  if (options.stages !== null)
    throw new UserError(
      '--exclude and stages do not go together: stages are reported one by one, so let the first one be the warm-up',
    );
  if (rule.kind === 'steady') return null;
  if (plan.closed !== null) {
    const { durationS } = options;
    const nothing =
      rule.kind === 'time'
        ? durationS !== null && rule.s >= durationS
        : rule.n >= (plan.closed.requests ?? Number.POSITIVE_INFINITY);
    if (nothing) throw nothingLeft(rule);
    return rule.kind === 'time'
      ? { fromIndex: 0, fromNs: rule.s * NANOS_PER_S }
      : { fromIndex: rule.n, fromNs: 0 };
  }
  const fromIndex = rule.kind === 'requests' ? rule.n : dueBefore(plan, rule.s * NANOS_PER_S);
  if (fromIndex >= plan.schedule.requests) throw nothingLeft(rule);
  return { fromIndex, fromNs: 0 };
}

const nothingLeft = (rule: ExcludeRule): UserError =>
  new UserError(
    `--exclude ${formatExclude(rule)} leaves nothing of the run: make the run longer, or leave out less`,
  );

/** Arrivals of the schedule before an instant. */
function dueBefore({ schedule }: LoadPlan, ns: number): number {
  const { next } = createSchedule(schedule);
  let n = 0;
  for (let at = next(); at < ns; at = next()) n++;
  return n;
}

/** The plan of what is kept, as if nothing else had been planned; and when that begins, s after the start (null in a closed loop). */
export function keptPlan(
  plan: LoadPlan,
  { fromIndex, fromNs }: Exclusion,
): { readonly plan: LoadPlan; readonly fromS: number | null } {
  if (plan.closed !== null) return { plan, fromS: fromNs > 0 ? fromNs / NANOS_PER_S : null };
  const { next } = createSchedule(plan.schedule);
  let firstNs = Number.NaN;
  for (let i = 0; i <= fromIndex; i++) firstNs = next();
  const requests = plan.schedule.requests - fromIndex;
  const overNs = plan.lastNs - firstNs;
  return {
    plan: {
      ...plan,
      schedule: { ...plan.schedule, requests },
      firstNs,
      scheduledRps: overNs > 0 ? ((requests - 1) / overNs) * NANOS_PER_S : null,
    },
    fromS: firstNs / NANOS_PER_S,
  };
}

/** Whether a record is of a request that is in no figure of the report; null: none is. */
export function leavesOut(
  exclusion: Exclusion | null,
  startNs: number,
): (record: { readonly index: number; readonly first_sent_ns: number | null }) => boolean {
  if (exclusion === null) return () => false;
  const cut = new Cut(exclusion, startNs);
  return ({ index, first_sent_ns }) => {
    const sentNs = first_sent_ns ?? Number.NaN;
    return cut.leaves({ index, sentNs, tries: 1, firstSentNs: sentNs, outcome: OUTCOME.unsent });
  };
}

/** Takes requests away at the start, and counts them. */
export class Cut {
  ended = 0;
  complete = 0;
  readonly #fromIndex: number;
  /** −Infinity in an open loop: there the number of a request says when it was due. */
  readonly #fromSentNs: number;

  constructor({ fromIndex, fromNs }: Exclusion, startNs: number) {
    this.#fromIndex = fromIndex;
    this.#fromSentNs = fromNs > 0 ? startNs + fromNs : Number.NEGATIVE_INFINITY;
  }

  /** Whether this one is left out. */
  leaves(r: Pick<Ended, 'index' | 'sentNs' | 'tries' | 'firstSentNs' | 'outcome'>): boolean {
    // By the first try: a request that Retry-After held back was begun when that was sent.
    const sentNs = r.tries === 1 ? r.sentNs : r.firstSentNs;
    if (r.index >= this.#fromIndex && !(sentNs < this.#fromSentNs)) return false;
    this.ended++;
    if (r.outcome === OUTCOME.complete) this.complete++;
    return true;
  }
}
