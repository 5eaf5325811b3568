/** Warnings of an audit: each with a code, its evidence and its remedy. One place for all of them. */
import type { HostInfo } from '../system/host.ts';
import type { AuditDocument, AuditPlan, Floor, Trial } from './document.ts';
import { keepsLedger } from './target.ts';
import { wireDisagrees, wireLoss } from './wire-warnings.ts';

export type Warning = AuditDocument['warnings'][number];

/** Requests below which a p99 rests on fewer than five values. */
const P99_REQUESTS = 500;

type Check = (
  host: HostInfo,
  plan: AuditPlan,
  trials: readonly Trial[],
  floor: Floor | null,
) => Warning | null;

/** Requests, and share of all, by which the target's count and the client's may differ without a word. */
const COUNT_SLACK = { requests: 5, share: 0.02 };

function countsDiffer({ client_side: side, reported }: Trial): boolean {
  const counted = side?.exported?.requests ?? null;
  const completed = reported?.completed ?? null;
  if (counted === null || completed === null) return false;
  return Math.abs(counted - completed) > Math.max(COUNT_SLACK.requests, COUNT_SLACK.share * completed);
}

const checks: readonly Check[] = [
  (_host, plan) =>
    keepsLedger(plan.target)
      ? null
      : {
          code: 'no-ledger',
          evidence: `${plan.target.url ?? plan.target.kind} keeps no ledger: when requests arrived and what it really gave is not known`,
          remedy:
            'rates are by the clients’ own account and no bias is stated; audit the same clients against the reference target (without --target)',
        },
  (_host, plan) =>
    plan.target.kind === 'llm-d-inference-sim'
      ? {
          code: 'open-port',
          evidence:
            'llm-d-inference-sim listens on every interface while a trial runs; it has no flag for the address',
          remedy: 'where others can reach this machine, keep them off by a firewall while auditing',
        }
      : null,
  (_host, _plan, trials) => {
    const differ = trials.filter(countsDiffer);
    const first = differ[0];
    return first === undefined
      ? null
      : {
          code: 'counts-differ',
          evidence: `in ${differ.length} trials the target counted other than the client (${first.id}: ${first.client_side!.exported!.requests} answered, ${first.reported!.completed} completed)`,
          remedy:
            'warm-up requests, load of others on the same server, or requests that the client lost: see to it that nothing else uses it',
        };
  },
  (_host, plan, trials, floor) =>
    floor === null && trials.length > 0 && keepsLedger(plan.target)
      ? {
          code: 'no-floor',
          evidence: 'no plausible floor could be measured: other work disturbed it each time',
          remedy: 'every bias is undetermined; end what else runs on this machine and audit again',
        }
      : null,
  (host) =>
    host.load_1m !== null && host.load_1m > 0.5
      ? {
          code: 'other-load',
          evidence: `load average ${host.load_1m.toFixed(2)} over the minute before the audit`,
          remedy: 'end what else runs on this machine; other load alone can change a verdict severalfold',
        }
      : null,
  (host) =>
    host.cpu_governor !== null && host.cpu_governor !== 'performance'
      ? {
          code: 'cpu-governor',
          evidence: `CPU governor "${host.cpu_governor}"`,
          remedy: 'set the governor to performance while auditing',
        }
      : null,
  (host) =>
    host.swap_used_mb !== null && host.swap_used_mb > 0
      ? {
          code: 'swap',
          evidence: `${host.swap_used_mb} MB of swap in use`,
          remedy: 'free memory: a client that is paged in measures the disk',
        }
      : null,
  (host, plan) =>
    host.open_files_limit !== null && host.open_files_limit < Math.max(...plan.rates_rps) * 2
      ? {
          code: 'open-files',
          evidence: `ulimit -n is ${host.open_files_limit}, the highest rate ${Math.max(...plan.rates_rps)}/s`,
          remedy: 'raise it with ulimit -n before the audit: a connection needs a descriptor on both sides',
        }
      : null,
  (host, plan) =>
    host.ephemeral_ports !== null && host.ephemeral_ports < Math.max(...plan.rates_rps) * plan.duration_s
      ? {
          code: 'ephemeral-ports',
          evidence: `${host.ephemeral_ports} ephemeral ports, up to ${Math.round(Math.max(...plan.rates_rps) * plan.duration_s)} requests a trial`,
          remedy:
            'shorter trials: a client that opens a connection a request may run out of ports (TIME_WAIT)',
        }
      : null,
  (_, plan) =>
    Math.min(...plan.rates_rps) * plan.duration_s < P99_REQUESTS
      ? {
          code: 'few-requests',
          evidence: `${Math.round(Math.min(...plan.rates_rps) * plan.duration_s)} requests a trial at the lowest rate`,
          remedy: `a p99 of fewer than ${P99_REQUESTS} requests rests on fewer than five of them: longer trials (--duration) narrow it`,
        }
      : null,
  (_, plan) =>
    plan.target_cpus === null && !plan.target.remote
      ? {
          code: 'not-pinned',
          evidence: plan.pinning_note,
          remedy:
            'target and client share cores, so that each delays the other: read every figure with that in mind',
        }
      : null,
  (_host, _plan, trials) => wireLoss(trials),
  (_host, _plan, trials, floor) => wireDisagrees(trials, floor),
  (_, _plan, trials) => {
    const stolen = trials.filter((trial) => (trial.observed?.steal_share ?? 0) > 0.01);
    return stolen.length > 0
      ? {
          code: 'steal',
          evidence: `in ${stolen.length} trials the hypervisor took more than 1 % of CPU time`,
          remedy: 'repeat on a quieter host, or with more repetitions',
        }
      : null;
  },
  (_, _plan, trials) => {
    const late = trials.filter((trial) => (trial.truth?.lateness_p99_ms ?? 0) > 2);
    return late.length > 0
      ? {
          code: 'target-late',
          evidence: `in ${late.length} trials (${late[0]!.id} …) the target's own p99 lateness was above 2 ms`,
          remedy: 'their floor is raised by it; give the target a core of its own, or lower the rate',
        }
      : null;
  },
];

/** All warnings that apply. */
export function warningsOf(
  host: HostInfo,
  plan: AuditPlan,
  trials: readonly Trial[],
  floor: Floor | null,
): Warning[] {
  return checks.map((check) => check(host, plan, trials, floor)).filter((warning) => warning !== null);
}
