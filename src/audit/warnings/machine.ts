/** Warnings of the machine: how it is set up, and what else went on in it during the trials. */
import type { Trial } from '../document.ts';
import { keepsLedger } from '../target.ts';
import { type Check, type Facts, percent, trialCount, worstOf } from './check.ts';

/**
 * Above it more wanted to run than there are cores. Less is no sign: 20 s of a build on two cores, as by npm start, make a load average of
 * 0.57 (2·(1 − e^(−20/60))), and what runs on during the trials has a check of its own.
 */
const LOAD_BEFORE_PER_CORE = 1;
const SWAP_USED = 0.01;
/** Cores that others may use without a word: the kernel counts in ticks, and Tare's helpers take some. */
const OTHERS_CORES = 0.1;
/** tcpdump is neither client nor target nor this process. */
const CAPTURE_CORES = 0.3;
const STEAL = 0.01;
const CORE_WAIT = 0.05;
const MEMORY_STALL = 0.01;
const MEMORY_LEFT = 0.1;
const OBSERVER = 0.01;
const PORTS_USED = 0.8;
/** How long the kernel keeps a closed connection's addresses and ports (TCP_TIMEWAIT_LEN). */
const TIME_WAIT_S = 60;
const FILES_USED = 0.8;
/** Read without a system call, and by the processor. The others take a call each, or are coarse. */
const GOOD_CLOCKS = ['tsc', 'kvm-clock', 'hyperv_clocksource_tsc_page', 'arch_sys_counter'];

/** Cores in use by neither the client, the target nor Tare itself; null where one of these is not known. */
export function othersCores(trial: Trial): number | null {
  const { observed, truth } = trial;
  const work = observed?.machine?.work_share ?? null;
  const harness = observed?.machine?.harness_share ?? null;
  const client = observed?.cpu_share ?? null;
  if (work === null || harness === null || client === null || truth === null) return null;
  const { cpuNs, windowNs } = truth.target;
  return windowNs > 0 ? Math.max(0, work - harness - client - cpuNs / windowNs) : null;
}

/** The highest of the trials' shares of steal below which 95 % of them lie. */
function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}

/** The client's process that came nearest to its own limit, and the target, which inherits ours. */
function filesUsed({ host, trials }: Facts): string[] {
  const client = worstOf(
    trials,
    ({ observed }) =>
      observed?.open_files_nearest
        ? observed.open_files_nearest.open / observed.open_files_nearest.limit
        : null,
    (share) => share >= FILES_USED,
  );
  const limit = host.open_files_limit;
  const target = worstOf(
    trials,
    ({ truth }) => (truth === null || limit === null ? null : truth.peak_in_flight / limit),
    (share) => share >= FILES_USED,
  );
  const files = client?.trial.observed?.open_files_nearest;
  return [
    ...(client === null || !files
      ? []
      : [
          `${trialCount(client.affected, client.of)} a process of the client had most of its descriptors open (${client.trial.id}: ${files.open} of ${files.limit})`,
        ]),
    ...(target === null
      ? []
      : [
          `${trialCount(target.affected, target.of)} the target had a connection a request for most of its descriptors (${target.trial.id}: ${target.trial.truth!.peak_in_flight} requests in flight, limit ${limit})`,
        ]),
  ];
}

export const machineChecks: readonly Check[] = [
  {
    code: 'other-load',
    when: `the load average of the minute before the audit was above ${LOAD_BEFORE_PER_CORE} a core (a build just before stays below)`,
    why: 'other work takes the cores that client and target need; it alone can change a verdict severalfold',
    remedy: 'end what else runs on this machine and audit again',
    find: ({ host }) =>
      host.load_1m !== null && host.load_1m > LOAD_BEFORE_PER_CORE * host.allowed_cpus.length
        ? `load average ${host.load_1m.toFixed(2)} on ${host.allowed_cpus.length} cores over the minute before the audit`
        : null,
  },
  {
    code: 'load-during',
    when: `during a trial, programs other than client, target and Tare used more than ${OTHERS_CORES} cores (${CAPTURE_CORES} while the wire is captured)`,
    why: 'what they took from the client looks like the client’s own delay',
    remedy: 'end what else runs on this machine (top shows it), and audit again with --repeat 3 or more',
    find({ plan, trials }) {
      if (!keepsLedger(plan.target)) return null;
      const allowed = plan.wire === undefined ? OTHERS_CORES : CAPTURE_CORES;
      const worst = worstOf(trials, othersCores, (cores) => cores > allowed);
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} other programs used more than ${allowed} cores (${worst.trial.id}: ${worst.value.toFixed(2)})`;
    },
  },
  {
    code: 'steal',
    when: `in a trial the hypervisor took more than ${percent(STEAL)} of CPU time`,
    why: 'client and target stood still meanwhile, and neither can tell',
    remedy: 'repeat on a quieter host, or with more repetitions (--repeat)',
    find({ trials }) {
      const steal = (trial: Trial) => trial.observed?.steal_share;
      const worst = worstOf(trials, steal, (share) => share > STEAL);
      if (worst === null) return null;
      const all = trials.flatMap((trial) => steal(trial) ?? []);
      return `${trialCount(worst.affected, worst.of)} the hypervisor took more than ${percent(STEAL)} of CPU time (p95 of the trials ${percent(p95(all))}, most in ${worst.trial.id}: ${percent(worst.value)})`;
    },
  },
  {
    code: 'core-wait',
    when: `in a trial a thread of the client was ready to run and had no core for more than ${percent(CORE_WAIT)} of the time`,
    why: 'its delay is the machine’s, or that of the client’s own threads in one another’s way, not of its event loop',
    remedy:
      'give the clients more cores, or fewer workers (--workers); with two cores in all, read it with the client’s CPU share',
    find({ trials }) {
      const worst = worstOf(
        trials,
        ({ observed }) => observed?.core_wait_share,
        (share) => share > CORE_WAIT,
      );
      if (worst === null) return null;
      const cpu = worst.trial.observed!.cpu_share;
      return `${trialCount(worst.affected, worst.of)} a thread of the client waited for a core for more than ${percent(CORE_WAIT)} of the time (${worst.trial.id}: ${percent(worst.value)}${cpu === null ? '' : `, the client itself used ${cpu.toFixed(2)} cores`})`;
    },
  },
  {
    code: 'cpu-governor',
    when: 'the CPU governor is not performance',
    why: 'the clock of the cores follows the load, and with it every overhead',
    remedy: 'set the governor to performance while auditing: cpupower frequency-set -g performance',
    find: ({ host }) =>
      host.cpu_governor !== null && host.cpu_governor !== 'performance'
        ? `CPU governor "${host.cpu_governor}"`
        : null,
  },
  {
    code: 'clock-source',
    when: `the kernel’s clock is none of ${GOOD_CLOCKS.join(', ')}`,
    why: 'each reading of the clock is a system call or coarse, in the client as in the target',
    remedy:
      'see /sys/devices/system/clocksource/clocksource0/available_clocksource; boot with clocksource=tsc where it is stable',
    find({ machine }) {
      const source = machine?.clock_source ?? null;
      return source === null || GOOD_CLOCKS.includes(source)
        ? null
        : `clock source "${source}", ${machine!.clock.read_ns.toFixed(0)} ns a reading`;
    },
  },
  {
    code: 'not-pinned',
    when: 'target and clients were not given cores of their own',
    why: 'they share cores, so that each delays the other',
    remedy:
      'read every figure with that in mind; a target that Tare starts gets a core of its own where there are two and taskset (util-linux), one that runs already where you give it one (taskset -cp)',
    find: ({ plan }) => (plan.target_cpus === null && !plan.target.remote ? plan.pinning_note : null),
  },
  {
    code: 'swap',
    when: `before the audit more swap was in use than ${percent(SWAP_USED)} of memory (less is what nobody has asked back)`,
    why: 'a client that is paged in measures the disk',
    remedy: 'free memory, or swapoff -a while auditing',
    find: ({ host }) =>
      host.swap_used_mb !== null && host.swap_used_mb > SWAP_USED * host.memory_mb
        ? `${host.swap_used_mb} MB of swap in use, with ${host.memory_mb} MB of memory`
        : null,
  },
  {
    code: 'paging',
    when: 'swap in use grew by more than 1 MB during a trial',
    why: 'programs were paged out while they were measured',
    remedy: 'a machine with more memory, shorter trials (--duration), or fewer workers (--workers)',
    find({ trials }) {
      const worst = worstOf(
        trials,
        ({ observed }) => {
          const { swap_used_from_mb: from = null, swap_used_to_mb: to = null } = observed?.machine ?? {};
          return from === null || to === null ? null : to - from;
        },
        (grown) => grown > 1,
      );
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} swap in use grew (${worst.trial.id}: by ${worst.value.toFixed(0)} MB)`;
    },
  },
  {
    code: 'memory',
    when: `in a trial less than ${percent(MEMORY_LEFT)} of the machine’s memory was left`,
    why: 'near its end the kernel reclaims pages in the midst of whatever asks for one',
    remedy: 'a machine with more memory, shorter trials (--duration), or fewer workers (--workers)',
    find({ host, trials }) {
      const used = ({ observed }: Trial) => {
        const left = observed?.machine?.memory_available_min_mb ?? null;
        return left === null || host.memory_mb <= 0 ? null : 1 - left / host.memory_mb;
      };
      const worst = worstOf(trials, used, (share) => share > 1 - MEMORY_LEFT);
      if (worst === null) return null;
      const { rss_peak_mb, machine } = worst.trial.observed!;
      return `${trialCount(worst.affected, worst.of)} memory was nearly used up (${worst.trial.id}: ${Math.round(machine!.memory_available_min_mb!)} of ${host.memory_mb} MB left, the client took ${Math.round(rss_peak_mb)} MB)`;
    },
  },
  {
    code: 'memory-pressure',
    when: `in a trial some program waited for memory for more than ${percent(MEMORY_STALL)} of the time (/proc/pressure/memory)`,
    why: 'the wait is in every latency of the program that it fell on',
    remedy: 'end what else runs on this machine, or take one with more memory',
    find({ trials }) {
      const worst = worstOf(
        trials,
        ({ observed }) => observed?.machine?.memory_stall_share,
        (share) => share > MEMORY_STALL,
      );
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} programs waited for memory (${worst.trial.id}: ${percent(worst.value)} of the time)`;
    },
  },
  {
    code: 'open-files',
    when: `a process of the client had ${percent(FILES_USED)} or more of its own descriptors (RLIMIT_NOFILE) open, or the target needed as many of its`,
    why: 'beyond the limit connections are refused, or wait for another to end: a limit of the shell, not of the client',
    remedy: 'ulimit -n 65536 in the shell that starts tare',
    find: (facts) => filesUsed(facts).join('; ') || null,
  },
  {
    code: 'ephemeral-ports',
    when: `in a trial the connections opened within ${TIME_WAIT_S} s to the target’s port were ${percent(PORTS_USED)} or more of the ephemeral ports`,
    why: 'to one port each needs a port of its own, which the kernel may keep for a minute after its use: a client that opens a connection a request runs out of them',
    remedy:
      'shorter trials (--duration), or more ports: sysctl -w net.ipv4.ip_local_port_range="10240 65535"',
    find({ host, plan, trials }) {
      const ports = host.ephemeral_ports;
      if (ports === null || !keepsLedger(plan.target)) return null;
      // Every trial has a target of its own, on a port of its own: what others left in TIME_WAIT is in nobody's way.
      const opened = ({ truth }: Trial) => {
        if (truth === null || truth.target.windowNs <= 0) return null;
        const { connections, windowNs } = truth.target;
        return connections * Math.min(1, (TIME_WAIT_S * 1e9) / windowNs);
      };
      const worst = worstOf(trials, opened, (count) => count >= PORTS_USED * ports);
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} most ephemeral ports were used (${worst.trial.id}: ${Math.round(worst.value)} connections to the target within ${TIME_WAIT_S} s, ${ports} ports)`;
    },
  },
  {
    code: 'observer-cost',
    when: `in a trial watching the client took more than ${percent(OBSERVER)} of a core`,
    why: 'what Tare takes itself it may take from the client',
    remedy: 'a client with fewer processes and threads (--workers), or a machine with a core for Tare',
    find({ trials }) {
      const worst = worstOf(
        trials,
        ({ observed }) => observed?.machine?.observer_share,
        (share) => share > OBSERVER,
      );
      return worst === null
        ? null
        : `${trialCount(worst.affected, worst.of)} reading /proc took more than ${percent(OBSERVER)} of a core (${worst.trial.id}: ${percent(worst.value)}, ${worst.trial.observed!.processes_peak} processes, ${worst.trial.observed!.threads_peak} threads)`;
    },
  },
];
