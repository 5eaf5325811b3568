/** The probes of load of one client, one after the other: each needs the machine to itself. */
import type { ProbeCell, ProbeRun } from './document.ts';
import type { SessionInput } from './session-input.ts';

/** Cells of the probes of load; none where they are not asked for. */
export async function runLoad(input: SessionInput, take: (run: ProbeRun) => void): Promise<ProbeCell[]> {
  const { adapter, found, context, loadRunner, onEvent } = input;
  const cells: ProbeCell[] = [];
  if (loadRunner === null) return cells;
  for (const probe of input.probes) {
    if (probe.scope !== 'load' || context.signal.aborted) continue;
    const { cell, runs } = await loadRunner(probe, adapter, found, context);
    for (const run of runs) {
      take(run);
      onEvent({ kind: 'run', client: adapter.name, run });
    }
    cells.push(cell);
    onEvent({ kind: 'cell', client: adapter.name, cell });
  }
  return cells;
}
