/** Which checks a client at a rate gets, and by which rule. Pure. */
import type { Adapter } from '../../../adapters/contract.ts';
import type { Tolerance } from '../../measure/envelope/tolerance.ts';
import type { HostInfo } from '../../system/host.ts';
import type { AuditPlan, Floor, Trial } from '../document.ts';
import { judgeChange } from './change.ts';
import type { GateBaseline, GateCheck } from './document.ts';
import { judgeCell, type Rule } from './judge.ts';
import type { Planned } from './plan.ts';

/** An earlier result that can be compared with: its repetitions, and its floor. */
export interface Baseline extends GateBaseline {
  readonly trials: readonly Trial[];
  readonly floor: Floor | null;
}

/** What a gate holds clients to. */
export interface Judging {
  readonly tolerance: Tolerance;
  readonly explicit: boolean;
  readonly allow: Tolerance;
  readonly baseline: Baseline | null;
  /** A baseline that cannot be compared with leaves the verdict to the rest; else it leaves the gate open. */
  readonly baselineOptional: boolean;
  readonly against: string | null;
  readonly plan: AuditPlan;
  readonly host: Pick<HostInfo, 'allowed_cpus'>;
  readonly cells: readonly Planned[];
  readonly adapters: ReadonlyMap<string, Pick<Adapter, 'facts'>>;
}

const judgesBaseline = ({ baseline }: Pick<Judging, 'baseline'>): boolean =>
  baseline !== null && baseline.refused === null;

/** Checks with an interval in the whole gate: they share its error. */
export function checkCount(judging: Pick<Judging, 'cells' | 'tolerance' | 'baseline' | 'against'>): number {
  const sides = 1 + (judgesBaseline(judging) ? 1 : 0) + (judging.against === null ? 0 : 1);
  const gated = judging.cells.filter(({ isAgainst }) => !isAgainst).length;
  return gated * (1 + judging.tolerance.bias.length) * sides;
}

/** The rule of all checks. */
export const ruleOf = (judging: Judging, floor: Floor | null): Rule => ({
  tolerance: judging.tolerance,
  explicit: judging.explicit,
  floor,
  checks: checkCount(judging),
  cores: judging.plan.client_cpus?.length ?? judging.host.allowed_cpus.length,
});

const atRate =
  (client: string, rate_rps: number) =>
  (trial: Trial): boolean =>
    trial.client === client && trial.workload.rateRps === rate_rps;

/** A baseline that cannot be compared with is no failure of the client; but the comparison was asked for, and there is none: no pass, unless it is optional. */
const refusedCheck = (
  client: string,
  rate_rps: number,
  { from, refused }: Baseline,
  isOptional: boolean,
): GateCheck => ({
  kind: 'change',
  name: 'baseline',
  client,
  rate_rps,
  state: isOptional ? 'notJudged' : 'undetermined',
  unit: 'ms',
  value: null,
  low: null,
  high: null,
  confidence: null,
  limit_low: null,
  limit_high: null,
  floor: null,
  trials: 0,
  compared_with: from,
  reason: `not compared with it: ${refused!}`,
  remedy: isOptional ? '' : 'mend that, or give --baseline-optional where the rest is verdict enough',
});

/** All checks of a client at a rate, with those of a change. */
export function checksOf(
  { client, rate_rps }: Planned,
  trials: readonly Trial[],
  judging: Judging,
  rule: Rule,
): GateCheck[] {
  const cell = {
    client,
    rate_rps,
    facts: judging.adapters.get(client)!.facts,
    trials: trials.filter(atRate(client, rate_rps)),
  };
  const { baseline, against, allow } = judging;
  return [
    ...judgeCell(cell, rule),
    ...(judgesBaseline(judging)
      ? judgeChange(cell, baseline!.trials.filter(atRate(client, rate_rps)), {
          ...rule,
          allow,
          otherFloor: baseline!.floor,
          comparedWith: baseline!.from,
        })
      : baseline === null
        ? []
        : [refusedCheck(client, rate_rps, baseline, judging.baselineOptional)]),
    ...(against === null
      ? []
      : judgeChange(cell, trials.filter(atRate(against, rate_rps)), {
          ...rule,
          allow,
          otherFloor: null,
          comparedWith: against,
        })),
  ];
}
