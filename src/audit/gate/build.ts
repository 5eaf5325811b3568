/** gate.json of a run. Pure. */

import { formatTolerance } from '../../measure/envelope/tolerance.ts';
import { ERROR_RATE, FIRST_LOOK, lookAt } from '../../measure/gate/looks.ts';
import { EXIT } from '../../system/user-error.ts';
import { AUDIT_SCHEMA, type AuditDocument } from '../document.ts';
import { findings, rateFindings } from '../findings.ts';
import { warningsOf } from '../warnings.ts';
import {
  cellName,
  GATE_SCHEMA,
  type GateCheck,
  type GateDocument,
  type GateTrial,
  type GateVerdict,
} from './document.ts';
import { countedOf, leftOut, verdictOf } from './judge.ts';
import { checkCount, ruleOf } from './rules.ts';
import type { GateInput, GateRun } from './run.ts';

export const EXIT_OF: Readonly<Record<GateVerdict, number>> = {
  pass: EXIT.fine,
  fail: EXIT.outOfTolerance,
  undetermined: EXIT.undetermined,
  invalid: EXIT.harnessInvalid,
};

/** What machine and target did to the repetitions, where too few are left to judge by. */
function whyInvalid(left: readonly GateTrial[], checks: readonly GateCheck[]): string | null {
  const open = checks.find(
    ({ kind, state, trials, client, rate_rps }) =>
      kind === 'run' &&
      state === 'undetermined' &&
      trials < FIRST_LOOK &&
      left.some((one) => one.client === client && one.rate_rps === rate_rps && one.left_out !== null),
  );
  if (open === undefined) return null;
  const out = left.filter(
    (one) => one.client === open.client && one.rate_rps === open.rate_rps && one.left_out !== null,
  );
  return `${out.length} of ${out.length + open.trials} repetitions of ${cellName(open.client, open.rate_rps!)} show the machine or the target, not the client: ${out[0]!.left_out}`;
}

/** Why that stays open which no repetition decides; null where no check says it. */
function openReason(checks: readonly GateCheck[]): string | null {
  const open = checks.find(({ state, reason }) => state === 'undetermined' && reason !== '');
  return open === undefined ? null : `more repetitions would not decide it: ${open.reason}`;
}

export interface Built {
  readonly document: GateDocument;
  /** The same repetitions in the shape of an audit, for `tare report`. */
  readonly audit: AuditDocument;
}

/** The verdict of a run, with the reason where there is none of the client. */
function judged(input: GateInput, run: GateRun, counted: readonly GateTrial[]): [GateVerdict, string] {
  if (run.end === 'noFloor')
    return [
      'invalid',
      'no plausible floor could be measured: other work disturbed it each time, so that no bias could be told from none',
    ];
  const verdict = verdictOf(run.checks, input.tolerance.bias.length > 0) as GateVerdict;
  if (verdict === 'fail') return ['fail', ''];
  const [refused] = run.refused;
  if (refused !== undefined) return ['invalid', `${refused[0]} could not be run: ${refused[1]}`];
  if (verdict === 'pass') return ['pass', ''];
  const invalid = run.end === 'interrupted' ? null : whyInvalid(counted, run.checks);
  if (invalid !== null) return ['invalid', invalid];
  return [
    'undetermined',
    run.end === 'interrupted'
      ? 'it was interrupted'
      : run.end === 'budget'
        ? `the budget of ${input.budgetS} s was over before all was decided`
        : (openReason(run.checks) ?? 'more repetitions of the same would not decide it'),
  ];
}

/** gate.json, and audit.json of the same repetitions. */
export function buildGate(
  input: GateInput,
  run: GateRun,
  when: { readonly version: string; readonly startedAt: string; readonly finishedAt: string },
): Built {
  const { cores } = ruleOf(input, run.floor);
  const counted = run.trials.map(
    (trial): GateTrial => ({
      id: trial.id,
      client: trial.client,
      rate_rps: trial.workload.rateRps,
      left_out: leftOut(trial, cores),
    }),
  );
  const [verdict, reason] = judged(input, run, counted);
  const plan = {
    ...input.plan,
    repetitions: Math.max(1, ...run.trials.map(({ repetition }) => repetition)),
  };
  const warnings = [
    ...input.warnings,
    ...warningsOf(input.host, plan, run.trials, run.floor, run.floor?.machine ?? null),
  ];
  const looks = input.cells
    .filter(({ isAgainst }) => !isAgainst)
    .map(({ client, rate_rps }): [string, number] => [
      cellName(client, rate_rps),
      lookAt(
        countedOf(
          run.trials.filter((t) => t.client === client && t.workload.rateRps === rate_rps),
          cores,
        ).length,
      ),
    ]);
  const { baseline } = input;
  const document: GateDocument = {
    schema: GATE_SCHEMA,
    tare_version: when.version,
    of: 'clients',
    started_at: when.startedAt,
    finished_at: when.finishedAt,
    elapsed_s: Math.round(run.elapsedS * 10) / 10,
    state: run.end === 'interrupted' ? 'interrupted' : 'finished',
    verdict,
    exit_code: EXIT_OF[verdict],
    reason,
    checks: run.checks,
    warnings,
    tolerance: formatTolerance(input.tolerance),
    tolerances: input.tolerance,
    allow: baseline === null && input.against === null ? null : formatTolerance(input.allow),
    budget_s: input.budgetS,
    error_rate: {
      at_most: ERROR_RATE,
      checks: checkCount(input),
      first_look: FIRST_LOOK,
      looks: Object.fromEntries(looks),
    },
    baseline:
      baseline === null
        ? null
        : {
            from: baseline.from,
            tare_version: baseline.tare_version,
            started_at: baseline.started_at,
            clients: baseline.clients,
            refused: baseline.refused,
            ...(baseline.note === undefined ? {} : { note: baseline.note }),
          },
    against: input.against,
    host: input.host,
    plan,
    floor: run.floor,
    clients: input.clients,
    counted,
    trials: run.trials,
  };
  const audit: AuditDocument = {
    schema: AUDIT_SCHEMA,
    tare_version: when.version,
    started_at: when.startedAt,
    finished_at: when.finishedAt,
    state: document.state,
    host: input.host,
    plan,
    floor: run.floor,
    clients: input.clients,
    trials: run.trials,
    findings: findings(run.trials, run.floor),
    rates: rateFindings(run.trials),
    warnings,
  };
  return { document, audit };
}
