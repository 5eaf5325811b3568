/** Runs one probe of load with one client: a trial for each of its runs, and what its judge makes of them. */
import { join } from 'node:path';
import type { Adapter, Found } from '../../../../adapters/contract.ts';
import type { LoadProbe, LoadRun, NamedProbe } from '../../../measure/probe/probe.ts';
import { mixSeed } from '../../../measure/random.ts';
import { readLedger } from '../../../truth/ledger-file.ts';
import { trialDisturbedBy } from '../../disturbance.ts';
import type { Trial } from '../../document.ts';
import { type PlannedTrial, trialEstimateS } from '../../plan.ts';
import type { TargetSource } from '../../target.ts';
import { referenceWith } from '../../target-reference.ts';
import { runTrial, type TrialContext } from '../../trial.ts';
import type { ProbeCell, ProbeRun, ProbeVerdict } from '../document.ts';
import { bareCell, type CellPlace, cellOf } from './cell.ts';
import { askedOf, loadRunOf, probeRunOf } from './run-of.ts';
import { scriptedTarget } from './scripted.ts';

export type NamedLoadProbe = NamedProbe & LoadProbe;

export type LoadProbeContext = Omit<TrialContext, 'target'>;

const PROMPT_TOKENS = 8;
/** The target warms up at the latency that it is to inject, some twenty answers one after another: only where it injects none, ms. */
const warmUp = (latency: string): string[] => ['--warm-up', latency === 'zero' ? '100' : '0'];

/** The trial of a probe's run; null: the client has no arrivals that would do. */
export function plannedRun(
  probe: NamedLoadProbe,
  index: number,
  adapter: Adapter,
  seed: number,
  attempt = 1,
): PlannedTrial | null {
  const {
    rateRps,
    requests,
    tokens,
    arrivals,
    promptTokens,
    latency = 'zero',
    seed: own,
  } = probe.runs[index]!;
  const kind = askedOf(arrivals, adapter.facts);
  if (kind === null) return null;
  const durationS = requests / rateRps;
  return {
    id: `load-${adapter.name}-${probe.id}-${index + 1}${attempt > 1 ? '-again' : ''}`,
    client: adapter.name,
    rateRps,
    repetition: attempt,
    order: index,
    workload: {
      rateRps,
      requests,
      durationS,
      arrivals: { kind },
      promptTokens: promptTokens ?? PROMPT_TOKENS,
      outputTokens: tokens,
      latency,
      seed: own ?? mixSeed(seed, index, ...Buffer.from(probe.id)) >>> 0,
    },
    estimatedS: trialEstimateS(durationS, adapter.facts),
  };
}

/** Seconds that a client may take: its own start and end, a machine that is slow, and a client that holds a third of the rate. */
const deadlineOf = ({ workload }: PlannedTrial, { facts }: Adapter): number =>
  15 + 3 * (facts.startupS + facts.teardownS) + 3 * workload.durationS;

interface Launched {
  readonly runs: readonly LoadRun[];
  readonly kept: readonly ProbeRun[];
  /** Why the judge is not asked; null: it is. */
  readonly ended: {
    readonly verdict: 'crashed' | 'undetermined' | 'not applicable';
    readonly words: string;
  } | null;
  readonly disturbed: string | null;
}

/** Why a trial's figures are not judged; null: they are. */
function endedBy(trial: Trial, name: string, mayFail: boolean): Launched['ended'] {
  const { outcome } = trial;
  if (outcome.kind === 'incomplete') return { verdict: 'undetermined', words: `${name}: ${outcome.reason}` };
  if (outcome.kind === 'timedOut')
    return { verdict: 'crashed', words: `${name}: it did not end: ${outcome.reason}` };
  if (trial.truth === null || (trial.reported === null && !mayFail))
    return {
      verdict: 'crashed',
      words: `${name}: ${'reason' in outcome ? outcome.reason : 'it left no figures'}${trial.exit_code === 0 ? ' (and exited with 0)' : ''}`,
    };
  return null;
}

async function launchAll(
  probe: NamedLoadProbe,
  adapter: Adapter,
  found: Found,
  context: LoadProbeContext,
  attempt: number,
): Promise<Launched> {
  const runs: LoadRun[] = [];
  const kept: ProbeRun[] = [];
  const causes: string[] = [];
  const end = (ended: Launched['ended']): Launched => ({
    runs,
    kept,
    ended,
    disturbed: causes.length === 0 ? null : causes.join('; '),
  });
  for (const [i, { name, flags = [], latency = 'zero' }] of probe.runs.entries()) {
    const planned = plannedRun(probe, i, adapter, context.plan.seed, attempt);
    const refusal =
      planned === null ? 'it has no arrivals that would do' : adapter.refuses?.(planned.workload);
    if (planned === null || refusal != null) return end({ verdict: 'not applicable', words: refusal! });
    const target: TargetSource =
      probe.answer === undefined
        ? referenceWith([...flags, ...warmUp(latency)])
        : scriptedTarget(probe.id, adapter.facts.definitions.warmupRequests);
    const trial = await runTrial(planned, adapter, found, {
      ...context,
      target,
      deadlineS: context.deadlineS ?? deadlineOf(planned, adapter),
    });
    if (context.signal.aborted) return end({ verdict: 'undetermined', words: 'it was cut short' });
    kept.push(probeRunOf(trial, probe.id));
    const cause = trialDisturbedBy(trial);
    if (cause !== null) causes.push(`${name}: ${cause}`);
    const ended = endedBy(trial, name, probe.mayFail === true);
    if (ended !== null) return end(ended);
    const ledger = await readLedger(join(context.folder.final(trial.id), 'ledger.arrow'));
    runs.push(loadRunOf(trial, ledger, adapter.facts));
    if (probe.isSettled?.(runs) === true) break;
  }
  return end(null);
}

function judged(
  probe: NamedLoadProbe,
  place: CellPlace,
  launched: Launched,
  before: ProbeVerdict | null,
): { readonly cell: ProbeCell; readonly again: boolean } {
  const { ended, runs } = launched;
  if (ended !== null) return { cell: bareCell(place, ended.verdict, ended.words, before), again: false };
  const verdict = probe.judge(runs);
  return { cell: cellOf(place, verdict, before), again: verdict.again === true };
}

/** Verdicts that a disturbed machine cannot have made. */
const STANDS: readonly ProbeVerdict[] = ['right', 'not applicable', 'undetermined'];

/**
 * Runs and judges. Where the machine disturbed a run and the verdict is not right, or the judge says that it stands in the way, all is
 * run once more; disturbed again, it is undetermined: picking by outcome alone would make any client look right.
 */
export async function runLoadProbe(
  probe: NamedLoadProbe,
  adapter: Adapter,
  found: Found,
  context: LoadProbeContext,
): Promise<{ readonly cell: ProbeCell; readonly runs: readonly ProbeRun[] }> {
  const { definitions, arrivals, openLoop } = adapter.facts;
  const place = (launched: Launched | null): CellPlace => ({
    client: adapter.name,
    probe: probe.id,
    requests: launched?.kept.reduce((sum, { requests }) => sum + requests, 0) ?? 0,
    run: launched?.kept.at(-1)?.id ?? null,
  });
  const refusal = probe.refuses?.({ definitions, arrivals, openLoop }) ?? null;
  if (refusal !== null) return { cell: bareCell(place(null), 'not applicable', refusal), runs: [] };
  const first = await launchAll(probe, adapter, found, context, 1);
  const isSure = ({ disturbed }: Launched, { cell, again }: ReturnType<typeof judged>): boolean =>
    !again && (disturbed === null || probe.countsOnly === true || STANDS.includes(cell.verdict));
  const once = judged(probe, place(first), first, null);
  if (isSure(first, once) || context.signal.aborted) return { cell: once.cell, runs: first.kept };
  const second = await launchAll(probe, adapter, found, context, 2);
  const runs = [...first.kept, ...second.kept];
  const twice = judged(probe, place(second), second, once.cell.verdict);
  if (isSure(second, twice)) return { cell: twice.cell, runs };
  const { verdict, words: said, figures } = twice.cell;
  const looked = verdict === 'undetermined' ? said : `then it looked ${verdict}: ${said}`;
  const words = `the machine disturbed it twice (${second.disturbed}); ${looked}`;
  return {
    cell: { ...bareCell(place(second), 'undetermined', words, once.cell.verdict), figures },
    runs,
  };
}
