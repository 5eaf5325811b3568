/** What the trials of probes of load share: a results folder of their own below the probes', and a plan as an audit's has it. */
import { join } from 'node:path';
import type { AuditPlan } from '../../document.ts';
import { ResultsFolder } from '../../results.ts';
import { REFERENCE_INFO } from '../../target-reference.ts';
import type { ProbeContext } from '../launch.ts';
import type { LoadRunner } from '../session-input.ts';
import { runLoadProbe } from './run.ts';

/** The plan that trials look into; rates and lengths are each probe's own. */
const planOf = ({ model, targetCpus, clientCpus, seed }: ProbeContext, note: string): AuditPlan => ({
  target: { ...REFERENCE_INFO, model },
  clients: [],
  rates_rps: [],
  repetitions: 1,
  duration_s: 0,
  arrivals: 'constant',
  arrivals_otherwise: {},
  latency: 'zero',
  prompt_tokens: 0,
  output_tokens: 0,
  seed,
  workers: null,
  target_cpus: targetCpus,
  client_cpus: clientCpus,
  pinning_note: note,
  estimated_s: 0,
});

/** Runs probes of load; their trials are kept in `load/` of the results folder. */
export async function loadRunner(context: ProbeContext, note: string): Promise<LoadRunner> {
  const folder = await ResultsFolder.create(join(context.path, 'load'));
  const { launcher, signal } = context;
  const shared = { launcher, folder, plan: planOf(context, note), signal };
  return (probe, adapter, found) => runLoadProbe(probe, adapter, found, shared);
}
