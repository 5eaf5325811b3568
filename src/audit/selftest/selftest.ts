/** A whole selftest: the floor, then every control; judged as a whole. */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import type { HostInfo } from '../../system/host.ts';
import type { Launcher } from '../../system/launcher.ts';
import { type FloorEvent, measureFloor } from '../measure-floor.ts';
import type { ResultsFolder } from '../results.ts';
import { referenceTarget } from '../target-reference.ts';
import type { Control } from './controls.ts';
import { type ControlResult, SELFTEST_SCHEMA, type SelftestDocument } from './document.ts';
import type { ControlVerdict } from './judge.ts';
import { orderControls, runControl, selftestPlan } from './run.ts';

/** What a control runs. */
export interface ControlClient {
  readonly adapter: Adapter;
  readonly found: Found;
}

export interface SelftestInput {
  readonly version: string;
  readonly host: HostInfo;
  readonly controls: readonly Control[];
  readonly repetitions: number;
  readonly seed: number;
  /** The floor's runs are captured, too (tcpdump). */
  readonly wire: boolean;
  readonly clientOf: (control: Control) => ControlClient;
  /** Our own client in blocking mode, for the floor. */
  readonly floorAdapter: Adapter;
  readonly folder: ResultsFolder;
  readonly launcher: Launcher;
  readonly signal: AbortSignal;
  readonly onFloor: (event: FloorEvent) => void;
  readonly onControl: (result: ControlResult, index: number, total: number) => void;
  readonly now: () => Date;
}

/** One in so many may come out wrong. */
const ONE_IN = 20;

/** What the results come to. */
export function verdictOf(
  results: readonly ControlResult[],
  planned: number,
  hasFloor = true,
): Pick<SelftestDocument, 'right' | 'total' | 'clean_runs' | 'accused' | 'undetermined' | 'passed'> {
  const clean = results.filter(({ expects }) => expects === null);
  const faulty = results.filter(({ expects }) => expects !== null);
  const rightOf = (some: readonly ControlResult[]): number =>
    some.filter(({ verdict }) => verdict === 'right').length;
  const withVerdict = (some: readonly ControlResult[], verdict: ControlVerdict): number =>
    some.filter((result) => result.verdict === verdict).length;
  const enough = (some: readonly ControlResult[]): boolean =>
    some.length - rightOf(some) <= Math.floor(some.length / ONE_IN);
  return {
    right: rightOf(results),
    total: results.length,
    clean_runs: clean.length,
    accused: withVerdict(clean, 'accused'),
    undetermined: withVerdict(results, 'undetermined'),
    passed: hasFloor && results.length === planned && planned > 0 && enough(clean) && enough(faulty),
  };
}

/** Runs it; ends early with what there is when `signal` says so. */
export async function runSelftest(input: SelftestInput): Promise<SelftestDocument> {
  const { host, seed, signal } = input;
  const started = input.now();
  const plan = selftestPlan('tare', input.repetitions, seed, host);
  const context = { launcher: input.launcher, folder: input.folder, plan, signal };
  const planned = orderControls(
    input.controls,
    input.repetitions,
    seed,
    (control) => input.clientOf(control).adapter,
  );
  const floorPlan = input.wire ? ({ ...plan, wire: 'read' } as const) : plan;
  const floorContext = { ...context, plan: floorPlan, target: referenceTarget };
  const { floor } = await measureFloor(
    floorContext,
    input.floorAdapter,
    planned[0]!.trial.workload,
    input.onFloor,
  );
  const results: ControlResult[] = [];
  for (const [index, next] of planned.entries()) {
    if (signal.aborted) break;
    const { adapter, found } = input.clientOf(next.control);
    const result = await runControl(next, adapter, found, context);
    if (signal.aborted && result.verdict === 'not run') break;
    results.push(result);
    input.onControl(result, index, planned.length);
  }
  return {
    schema: SELFTEST_SCHEMA,
    tare_version: input.version,
    started_at: started.toISOString(),
    elapsed_s: Math.round((input.now().getTime() - started.getTime()) / 100) / 10,
    state: results.length === planned.length ? 'finished' : 'interrupted',
    host,
    pinning_note: plan.pinning_note,
    seed,
    floor,
    controls: results,
    ...verdictOf(results, planned.length, floor !== null),
  };
}
