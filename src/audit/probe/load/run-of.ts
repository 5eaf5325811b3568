/** From a trial to what a probe of load judges, and to what the result keeps of it. Pure. */
import type { ClientFacts } from '../../../../adapters/contract.ts';
import type { Ledger } from '../../../measure/ledger.ts';
import type { LoadRun } from '../../../measure/probe/probe.ts';
import { trialDisturbedBy } from '../../disturbance.ts';
import type { Trial } from '../../document.ts';
import type { ProbeRun } from '../document.ts';

type Asked = 'constant' | 'poisson';

/** Which of the two processes is asked of a client; null: it has neither. */
export function askedOf(wanted: Asked, { arrivals }: Pick<ClientFacts, 'arrivals'>): Asked | null {
  const otherwise = wanted === 'constant' ? 'poisson' : 'constant';
  return arrivals.includes(wanted) ? wanted : arrivals.includes(otherwise) ? otherwise : null;
}

/** What a probe's judge sees of a trial that has a ledger. */
export function loadRunOf(trial: Trial, ledger: Ledger, facts: ClientFacts): LoadRun {
  const { workload, reported } = trial;
  const asked = workload.arrivals.kind === 'poisson' ? 'poisson' : 'constant';
  return {
    rateRps: workload.rateRps,
    requests: workload.requests,
    durationS: workload.durationS,
    ledger,
    first: trial.truth?.warmup_requests ?? 0,
    definitions: facts.definitions,
    reported:
      reported === null
        ? null
        : {
            metrics: reported.metrics,
            achievedRps: reported.achievedRps,
            durationS: reported.durationS,
            completed: reported.completed,
            failed: reported.failed,
            dropped: reported.dropped,
          },
    exitCode: trial.exit_code,
    departures: trial.truth?.arrivals?.departures ?? [],
    faults: trial.faults ?? [],
    asked,
    sends: facts.constantIsPoisson === true ? 'poisson' : asked,
    openLoop: facts.openLoop,
    notes: reported?.notes ?? [],
    promptTokens: workload.promptTokens,
    disturbed: trialDisturbedBy(trial),
  };
}

/** How the client ended, in words. */
const endOf = ({ exit_code, outcome }: Trial): string =>
  exit_code !== null
    ? `exited with ${exit_code}`
    : outcome.kind === 'timedOut'
      ? outcome.reason
      : 'ended by a signal';

/** What the result keeps of a launch. */
export const probeRunOf = (trial: Trial, probe: string): ProbeRun => ({
  id: trial.id,
  probes: [probe],
  requests: trial.workload.requests,
  rate_rps: trial.workload.rateRps,
  elapsed_s: trial.elapsed_s,
  command: trial.command,
  exit_code: trial.exit_code,
  end: endOf(trial),
  failure:
    trial.reported !== null ? null : 'reason' in trial.outcome ? trial.outcome.reason : 'it left no figures',
  late_ms: trial.truth?.lateness_max_ms ?? null,
  steal_share: trial.observed?.steal_share ?? null,
});
