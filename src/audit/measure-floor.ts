/** Measures the floor: our own client twice, anew where something disturbed a run, and the machine alone. */
import type { Adapter, Found } from '../../adapters/contract.ts';
import type { Workload } from '../measure/workload.ts';
import { type MachineFloor, measureMachine } from '../system/machine-floor.ts';
import type { Floor, Trial } from './document.ts';
import { FLOOR_IDS, type FloorMethod, FULL_FLOOR, floorOf, floorTrial, isPlausible } from './floor.ts';
import { runTrial, type TrialContext } from './trial.ts';

export type FloorEvent =
  | { readonly kind: 'floorStart'; readonly estimatedS: number; readonly tried: number }
  /** `plausible`: it was taken; else it is measured again, or given up. */
  | { readonly kind: 'floorEnd'; readonly floor: Floor | null; readonly plausible: boolean };

export interface Measured {
  /** null where a run stays implausible: small bias cannot be told from none then, and every figure is undetermined. */
  readonly floor: Floor | null;
  /** What the machine alone adds, whether or not there is a floor; null where it was not measured. */
  readonly machine: MachineFloor | null;
}

/** @param like the workload that the floor is for */
export async function measureFloor(
  context: TrialContext,
  adapter: Adapter,
  like: Workload,
  onEvent: (event: FloorEvent) => void,
  method: FloorMethod = FULL_FLOOR,
): Promise<Measured> {
  const runs = await measureRuns(context, adapter, like, onEvent, method);
  const { plan, launcher, signal } = context;
  if (signal.aborted) return { floor: null, machine: null };
  const machine = method.machine
    ? await measureMachine({
        launcher,
        signal,
        targetCpus: plan.target_cpus,
        clientCpus: plan.client_cpus,
      })
    : null;
  if (runs === null) return { floor: null, machine };
  const ours = floorOf(...runs);
  const floor = ours === null ? null : { ...ours, machine };
  onEvent({ kind: 'floorEnd', floor, plausible: floor !== null });
  return { floor, machine };
}

/** Both runs of our own client; null where one stays implausible. */
async function measureRuns(
  context: TrialContext,
  adapter: Adapter,
  like: Workload,
  onEvent: (event: FloorEvent) => void,
  method: FloorMethod,
): Promise<[Trial, Trial] | null> {
  const found = await adapter.find();
  if (found.state === 'missing') return null;
  const first = await measureOnce(context, adapter, found, like, FLOOR_IDS[0], onEvent, method);
  if (first === null) return null;
  const again = await measureOnce(context, adapter, found, like, FLOOR_IDS[1], onEvent, method);
  return again === null ? null : [first, again];
}

async function measureOnce(
  context: TrialContext,
  adapter: Adapter,
  found: Found,
  like: Workload,
  id: (typeof FLOOR_IDS)[number],
  onEvent: (event: FloorEvent) => void,
  method: FloorMethod,
): Promise<Trial | null> {
  const planned = floorTrial(context.plan, like, adapter.name, id, method);
  for (let tried = 1; tried <= method.tries && !context.signal.aborted; tried++) {
    if (id === FLOOR_IDS[0] || tried > 1)
      onEvent({ kind: 'floorStart', estimatedS: planned.estimatedS * (id === FLOOR_IDS[0] ? 2 : 1), tried });
    const trial = await runTrial(planned, adapter, found, context);
    if (context.signal.aborted) return null;
    if (isPlausible(trial, method.believedBy)) return trial;
    onEvent({ kind: 'floorEnd', floor: floorOf(trial, trial), plausible: false });
  }
  return null;
}
