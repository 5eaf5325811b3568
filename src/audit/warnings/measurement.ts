/** Warnings of the measurement itself: its length, its target, its floor. */
import { valuesNeeded } from '../../measure/quantile-interval.ts';
import type { Trial } from '../document.ts';
import { keepsLedger } from '../target.ts';
import { WITHOUT_FLOOR_MS, wireDisagrees, wireLoss, wireLost } from '../wire-warnings.ts';
import { type Check, percent, trialCount, worstOf } from './check.ts';
import { tooFew } from './too-few.ts';

/** How often the longest answers, and the mean one, should fit into the time of sending: with ten, filling up takes a tenth of it. */
const WINDOW_P99 = 5;
const WINDOW_MEAN = 10;
const TARGET_BUSY = 0.7;
const TARGET_LATE_MS = 2;
/** Requests, and share of all, by which the target's count and the client's may differ without a word. */
const COUNT_SLACK = { requests: 5, share: 0.02 };

function countsDiffer({ client_side: side, reported }: Trial): boolean {
  const counted = side?.exported?.requests ?? null;
  const completed = reported?.completed ?? null;
  if (counted === null || completed === null) return false;
  return Math.abs(counted - completed) > Math.max(COUNT_SLACK.requests, COUNT_SLACK.share * completed);
}

/** How many times too short the time of sending is for the answers' lengths; 1 is just long enough. */
function shortBy({ truth, workload }: Trial): number | null {
  if (truth === null || workload.durationS <= 0) return null;
  const { p99_ms, mean_ms } = truth.realized.e2e;
  const needed = Math.max(WINDOW_P99 * (p99_ms ?? 0), WINDOW_MEAN * (mean_ms ?? 0));
  return needed / (workload.durationS * 1000);
}

export const measurementChecks: readonly Check[] = [
  {
    code: 'no-ledger',
    when: 'the target is not the reference target',
    why: 'when requests arrived and what it really gave is not known',
    remedy:
      'rates are by the clients’ own account and no bias is stated; audit the same clients against the reference target (without --target)',
    find: ({ plan }) =>
      keepsLedger(plan.target) ? null : `${plan.target.url ?? plan.target.kind} keeps no ledger`,
  },
  {
    code: 'open-port',
    when: 'the target is llm-d-inference-sim',
    why: 'it listens on every interface while a trial runs, and has no flag for the address',
    remedy: 'where others can reach this machine, keep them off by a firewall while auditing',
    find: ({ plan }) =>
      plan.target.kind === 'llm-d-inference-sim'
        ? 'llm-d-inference-sim listens on every interface while a trial runs; it has no flag for the address'
        : null,
  },
  {
    code: 'counts-differ',
    when: `the target’s own counter and the client’s completed requests differ by more than ${COUNT_SLACK.requests} and ${percent(COUNT_SLACK.share)}`,
    why: 'one of them counts what the other does not, so their figures are of different requests',
    remedy:
      'warm-up requests, load of others on the same server, or requests that the client lost: see to it that nothing else uses it',
    find({ trials }) {
      const differ = trials.filter(countsDiffer);
      const first = differ[0];
      return first === undefined
        ? null
        : `${trialCount(differ.length, trials.length)} the target counted other than the client (${first.id}: ${first.client_side!.exported!.requests} answered, ${first.reported!.completed} completed)`;
    },
  },
  {
    code: 'no-floor',
    when: 'none of the tries gave a plausible floor',
    why: 'what cannot be told from zero is unknown, so that every bias is undetermined',
    remedy: 'end what else runs on this machine and audit again',
    find: ({ plan, trials, floor }) =>
      floor === null && trials.length > 0 && keepsLedger(plan.target)
        ? 'no plausible floor could be measured: other work disturbed it each time'
        : null,
  },
  {
    code: 'few-requests',
    when: `of a client at a rate a p99 has no interval, as one trial’s requests are too few for it (${valuesNeeded(0.99)} independent ones)`,
    why: 'of that p99 no bias can be stated',
    remedy: 'longer trials (--duration); until then rely on p50 and p90',
    find({ trials }) {
      const cells = tooFew(trials);
      const worst = cells[0];
      if (worst === undefined) return null;
      const { client, rateRps, requests, wanted } = worst;
      return `${cells.length === 1 ? 'one client at one rate has' : `${cells.length} clients at a rate have`} a p99 without an interval (${client} at ${rateRps} requests/s: ${requests} requests, about ${wanted} would do, ${Math.ceil(wanted / rateRps)} s)`;
    },
  },
  {
    code: 'short-window',
    when: `the time of sending is less than ${WINDOW_P99} times the E2E p99 that the target gave, or ${WINDOW_MEAN} times its mean`,
    why: 'most of the trial is filling up and draining: it has no steady state, and concurrency never reaches its level',
    remedy: 'longer trials (--duration), or shorter answers (--tokens)',
    find({ trials }) {
      const worst = worstOf(trials, shortBy, (share) => share > 1);
      if (worst === null) return null;
      const { truth, workload } = worst.trial;
      const { p99_ms, mean_ms } = truth!.realized.e2e;
      return `${trialCount(worst.affected, worst.of)} requests were sent for too short a time (${worst.trial.id}: ${workload.durationS} s, E2E mean ${Math.round(mean_ms ?? 0)} ms, p99 ${Math.round(p99_ms ?? 0)} ms)`;
    },
  },
  {
    code: 'target-busy',
    when: `the target, where it does not spin, used more than ${percent(TARGET_BUSY)} of its core`,
    why: 'it is near its own limit, and its own queueing may be taken for the client’s',
    remedy: 'a lower rate or fewer tokens (--tokens), or a faster core for the target',
    find({ trials }) {
      const busy = ({ truth }: Trial) =>
        // A target that spins takes its core whether it has much to do or not: its lateness tells.
        truth === null || truth.target.pacing === 'spin' || truth.target.windowNs <= 0
          ? null
          : truth.target.cpuNs / truth.target.windowNs;
      const worst = worstOf(trials, busy, (share) => share > TARGET_BUSY);
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} the target used more than ${percent(TARGET_BUSY)} of a core (${worst.trial.id}: ${percent(worst.value)})`;
    },
  },
  {
    code: 'target-late',
    when: `the target’s own lateness (realized − injected) was above ${TARGET_LATE_MS} ms at p99`,
    why: 'its tokens came later than the model said; a figure’s floor is raised by it',
    remedy: 'give the target a core of its own, or lower the rate',
    find({ trials }) {
      const worst = worstOf(
        trials,
        ({ truth }) => truth?.lateness_p99_ms,
        (late) => late > TARGET_LATE_MS,
      );
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} the target's own p99 lateness was above ${TARGET_LATE_MS} ms (${worst.trial.id}: ${worst.value.toFixed(1)} ms)`;
    },
  },
  {
    code: 'wire-loss',
    when: 'the capture missed packets (--wire)',
    why: 'the second witness did not see all',
    remedy:
      'the requests that it touched are left out of what the wire says; with fewer tokens, a lower rate or another core tcpdump keeps up',
    find: ({ trials }) => wireLoss(trials),
  },
  {
    code: 'wire-lost',
    when: 'a trial has no capture, one that may be cut short, or connections that could not be read (--wire)',
    why: 'the second witness was asked for and says nothing, or not of all',
    remedy:
      'something ended tcpdump (memory, a time limit, a full disk: its words are in tcpdump.stderr.txt of the trial’s folder), or the client speaks HTTP/2 or pipelines: repeat the audit, or do not count on the wire there',
    find: ({ plan, trials }) => wireLost(plan, trials),
  },
  {
    code: 'wire-disagrees',
    when: `ledger and wire are farther apart than the floor, or than ${WITHOUT_FLOOR_MS} ms where there is none (--wire)`,
    why: 'the target’s stamps and the kernel’s tell different stories',
    remedy:
      'the target was late to see or to write by so much, which its own stamps cannot show: a lower rate, or a core of its own for the target',
    find: ({ trials, floor }) => wireDisagrees(trials, floor),
  },
];
