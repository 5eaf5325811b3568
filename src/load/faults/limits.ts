/** Faults that are limits which our client has anyway: how many requests are under way, how many workers there are, what a token costs. */
import { UserError } from '../../system/user-error.ts';
import type { FaultSpec } from './catalogue.ts';

export interface Limits {
  readonly workers: number | null;
  readonly maxInFlight: number | null;
  readonly burnPerTokenUs: number;
}

/** The limits of a run with a fault. */
export function limitsWith(fault: FaultSpec | null, asked: Limits): Limits {
  if (fault?.name === 'pool-cap' || fault?.name === 'cap-wait-omitted')
    return { ...asked, maxInFlight: Math.min(fault.dose, asked.maxInFlight ?? fault.dose) };
  if (fault?.name === 'burn') return { ...asked, workers: 1, burnPerTokenUs: fault.dose / 1000 };
  return asked;
}

const NEED_A_RATE: readonly string[] = ['random-gaps', 'on-the-second', 'same-seed'];

/** Throws a UserError where a fault needs another workload. */
export function checkFault(fault: FaultSpec | null, arrivals: string, stages = false): void {
  if (fault !== null && stages && NEED_A_RATE.includes(fault.name))
    throw new UserError(`the fault ${fault.name} draws its own arrivals: it needs one rate, and no stages`);
  if (fault !== null && arrivals === 'trace' && NEED_A_RATE.includes(fault.name))
    throw new UserError(`the fault ${fault.name} draws its own arrivals: it needs a rate, not a trace`);
}
