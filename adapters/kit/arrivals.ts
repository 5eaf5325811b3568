/** Which arrival processes a client can be asked for, in the words of an error. */
import { formatArrivals, type Workload } from '../../src/measure/workload.ts';
import type { ClientFacts } from '../contract.ts';

/** Why the workload's arrivals cannot be asked of a client with these facts, or null. */
export function refuseArrivals(name: string, facts: ClientFacts, workload: Workload): string | null {
  const kind = workload.arrivals.kind;
  if (facts.arrivals.includes(kind)) return null;
  return `${name} has no ${formatArrivals(workload.arrivals)} arrivals; it has ${facts.arrivals.join(', ')}`;
}
