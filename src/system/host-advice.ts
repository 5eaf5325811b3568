/** What about this machine would spoil a measurement, each with its evidence and its remedy. */
import type { HostInfo } from './host.ts';

export interface Advice {
  readonly code: string;
  readonly evidence: string;
  readonly remedy: string;
}

/** A request in flight holds a descriptor, on the client's side and on the target's. */
const FILES_WANTED = 8192;
/** Clients that open a connection a request use up a port for a minute each. */
const PORTS_WANTED = 16_000;

type Rule = (host: HostInfo) => Advice | null;

const rules: readonly Rule[] = [
  (host) =>
    host.allowed_cpus.length >= 2
      ? null
      : {
          code: 'one-core',
          evidence: `this process may run on ${host.allowed_cpus.length} core`,
          remedy:
            'give it two: target and client will disturb each other, and many findings will be undetermined',
        },
  (host) =>
    host.taskset !== null
      ? null
      : {
          code: 'no-taskset',
          evidence: 'taskset is not on PATH, so target and client cannot be kept on cores of their own',
          remedy: 'install util-linux (Debian: apt install util-linux)',
        },
  (host) =>
    host.open_files_limit === null || host.open_files_limit >= FILES_WANTED
      ? null
      : {
          code: 'few-open-files',
          evidence: `a process may open ${host.open_files_limit} files; each request in flight takes one`,
          remedy: `ulimit -n 65536 in the shell that starts tare`,
        },
  (host) =>
    host.ephemeral_ports === null || host.ephemeral_ports >= PORTS_WANTED
      ? null
      : {
          code: 'few-ports',
          evidence: `there are ${host.ephemeral_ports} ports for outgoing connections; each is held a minute after use`,
          remedy: 'sysctl -w net.ipv4.ip_local_port_range="10240 65535"',
        },
  (host) =>
    host.cpu_governor === null || host.cpu_governor === 'performance'
      ? null
      : {
          code: 'cpu-governor',
          evidence: `the CPU governor is ${host.cpu_governor}: the clock follows the load, and so does every overhead`,
          remedy: 'cpupower frequency-set -g performance',
        },
  (host) =>
    host.load_1m === null || host.load_1m < Math.max(0.5, host.allowed_cpus.length / 4)
      ? null
      : {
          code: 'busy-machine',
          evidence: `load average ${host.load_1m} on ${host.allowed_cpus.length} cores before anything was started`,
          remedy: 'end the other work first: it alone can change a verdict',
        },
  (host) =>
    host.python !== null
      ? null
      : {
          code: 'no-python',
          evidence: 'python3 is not on PATH: tare setup cannot make an environment for the Python clients',
          remedy: 'install Python 3.11 or 3.12 with venv (Debian: apt install python3 python3-venv)',
        },
];

/** Everything that speaks against this machine as it is now, in a fixed order. */
export const adviseOnHost = (host: HostInfo): Advice[] =>
  rules.map((rule) => rule(host)).filter((advice): advice is Advice => advice !== null);
