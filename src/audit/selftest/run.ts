/** Runs the controls, in random order, each with a fresh target and a fresh client, and judges them. */
import { join } from 'node:path';
import type { Adapter, Found } from '../../../adapters/contract.ts';
import { FAULT_KINDS } from '../../measure/diagnosis/fault.ts';
import { mixSeed, uniform } from '../../measure/random.ts';
import type { Workload } from '../../measure/workload.ts';
import type { HostInfo } from '../../system/host.ts';
import { partitionCpus } from '../../system/pinning.ts';
import { readLedger } from '../../truth/ledger-file.ts';
import { trialDisturbedBy } from '../disturbance.ts';
import type { AuditPlan, Trial } from '../document.ts';
import { type PlannedTrial, trialEstimateS } from '../plan.ts';
import { REFERENCE_INFO, referenceWith } from '../target-reference.ts';
import { runTrial, type TrialContext } from '../trial.ts';
import type { Control } from './controls.ts';
import type { ControlResult } from './document.ts';
import { type Judged, judgeControl, underDisturbance } from './judge.ts';
import { latencyOf, OUTPUT_TOKENS, SHAPES } from './shapes.ts';

const PROMPT_TOKENS = 8;
/** Enough for a hundred requests a second. */
const WARM_UP_MS = '100';

/** What all trials of a selftest share, as an audit's plan has it. */
export function selftestPlan(client: string, repetitions: number, seed: number, host: HostInfo): AuditPlan {
  const { targetCpus, clientCpus, note } = partitionCpus(host);
  const { stream } = SHAPES;
  return {
    target: REFERENCE_INFO,
    clients: [client],
    // The floor is measured at the lowest; at this one in the shortest time.
    rates_rps: [200],
    repetitions,
    duration_s: stream.durationS,
    arrivals: stream.arrivals.kind,
    arrivals_otherwise: {},
    latency: latencyOf(stream),
    prompt_tokens: PROMPT_TOKENS,
    output_tokens: OUTPUT_TOKENS,
    seed,
    workers: null,
    target_cpus: targetCpus,
    client_cpus: clientCpus,
    pinning_note: note,
    estimated_s: 0,
  };
}

/** A control's workload in one repetition. */
export function controlWorkload(control: Control, seed: number, repetition: number): Workload {
  const shape = SHAPES[control.shape];
  return {
    rateRps: shape.rateRps,
    requests: Math.round(shape.rateRps * shape.durationS),
    durationS: shape.durationS,
    arrivals: shape.arrivals,
    promptTokens: PROMPT_TOKENS,
    outputTokens: OUTPUT_TOKENS,
    latency: latencyOf(shape),
    seed: mixSeed(seed, repetition, ...Buffer.from(control.name)) >>> 0,
  };
}

export interface PlannedControl {
  readonly control: Control;
  readonly trial: PlannedTrial;
}

/** Every control in every repetition: repetitions in turn, controls in random order within each. */
export function orderControls(
  controls: readonly Control[],
  repetitions: number,
  seed: number,
  adapterOf: (control: Control) => Adapter,
): PlannedControl[] {
  const planned: PlannedControl[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    const order = [...controls];
    const u = uniform(seed, repetition, 17);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(u() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (const control of order) {
      const workload = controlWorkload(control, seed, repetition);
      const { facts, name } = adapterOf(control);
      planned.push({
        control,
        trial: {
          id: `${control.name.replace(/[^a-z]+/gi, '-')}-r${repetition}`,
          client: name,
          rateRps: workload.rateRps,
          repetition,
          order: planned.length,
          workload,
          estimatedS: trialEstimateS(workload.durationS, facts),
        },
      });
    }
  }
  return planned;
}

function resultOf(
  { control, trial: planned }: PlannedControl,
  trial: Trial,
  expected: number | null,
  judged: Judged,
): Omit<ControlResult, 'tries'> {
  return {
    control: control.name,
    fault: control.fault,
    client: control.client ?? 'tare',
    repetition: planned.repetition,
    order: planned.order,
    expects: control.expects,
    expected_size: control.expects === null ? null : expected,
    size: judged.size,
    unit: control.expects === null ? null : FAULT_KINDS[control.expects].unit,
    arithmetic: control.arithmetic,
    verdict: judged.verdict,
    reason: judged.reason,
    found: trial.faults ?? [],
    requests: trial.truth?.requests ?? 0,
    steal_share: trial.observed?.steal_share ?? null,
    core_wait_share: trial.observed?.core_wait_share ?? null,
    target_lateness_p99_ms: trial.truth?.lateness_p99_ms ?? null,
    elapsed_s: trial.elapsed_s,
  };
}

/** How often a control is tried where the machine disturbs it. */
const TRIES = 3;

async function tryOnce(
  planned: PlannedControl,
  adapter: Adapter,
  found: Found,
  context: Omit<TrialContext, 'target'>,
): Promise<{ readonly result: Omit<ControlResult, 'tries'>; readonly disturbed: boolean }> {
  const { control, trial: next } = planned;
  const shape = SHAPES[control.shape];
  const trial = await runTrial(next, adapter, found, {
    ...context,
    target: referenceWith([...shape.serve, '--warm-up', WARM_UP_MS]),
  });
  const faults = trial.faults ?? null;
  const cause = trialDisturbedBy(trial);
  if (faults === null || trial.truth === null)
    return {
      result: resultOf(planned, trial, null, judgeControl(control, 0, null, trial.outcome, 0)),
      disturbed: false,
    };
  const ledger = await readLedger(join(context.folder.final(trial.id), 'ledger.arrow'));
  const expected = control.size({ shape, workload: next.workload, ledger });
  const judged = judgeControl(control, expected, faults, trial.outcome, ledger.rows);
  return {
    result: resultOf(planned, trial, expected, underDisturbance(judged, cause)),
    disturbed: cause !== null,
  };
}

/**
 * Runs one control and judges it. It is run again where the machine disturbed it, and only by that, never by what came out: picking
 * by outcome would make any auditor look right.
 */
export async function runControl(
  planned: PlannedControl,
  adapter: Adapter,
  found: Found,
  context: Omit<TrialContext, 'target'>,
): Promise<ControlResult> {
  for (let tries = 1; ; tries++) {
    const { result, disturbed } = await tryOnce(planned, adapter, found, context);
    if (!disturbed || tries === TRIES || context.signal.aborted) return { ...result, tries };
  }
}
