/** What the probing of one client takes, and what it tells meanwhile. */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import type { LoadProbe, NamedProbe } from '../../measure/probe/probe.ts';
import type { ProbeCell, ProbeRun } from './document.ts';
import type { Scripted } from './judge-rows.ts';
import type { ProbeContext } from './launch.ts';

export type LoadRunner = (
  probe: NamedProbe & LoadProbe,
  adapter: Adapter,
  found: Found,
  context: ProbeContext,
) => Promise<{ readonly cell: ProbeCell; readonly runs: readonly ProbeRun[] }>;

export type ProbeEvent =
  | { readonly kind: 'run'; readonly client: string; readonly run: ProbeRun }
  | { readonly kind: 'cell'; readonly client: string; readonly cell: ProbeCell };

export interface SessionInput {
  readonly adapter: Adapter;
  readonly found: Found;
  /** What is to be judged. */
  readonly probes: readonly NamedProbe[];
  /** Any probe by its id: the base profile is needed beside others. */
  readonly probeOf: (id: string) => Scripted;
  readonly context: ProbeContext;
  readonly loadRunner: LoadRunner | null;
  readonly onEvent: (event: ProbeEvent) => void;
}
