/** An earlier result as a baseline: an earlier gate.json, or an audit; and whether it can be compared with what is to run here. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { explainFileError } from '../../system/disk.ts';
import type { HostInfo } from '../../system/host.ts';
import { hostKey } from '../../system/profile-store.ts';
import { UserError } from '../../system/user-error.ts';
import { AUDIT_SCHEMA, type AuditPlan, type ClientEntry, type Floor, type Trial } from '../document.ts';
import { auditDocumentSchema } from '../document-schema.ts';
import { GATE_SCHEMA } from './document.ts';
import { gateDocumentSchema } from './document-schema.ts';
import type { Baseline } from './rules.ts';

/** What both kinds of results have. */
export interface Earlier {
  readonly from: string;
  readonly tare_version: string;
  readonly started_at: string;
  readonly host: HostInfo;
  readonly plan: AuditPlan;
  readonly floor: Floor | null;
  readonly clients: readonly ClientEntry[];
  readonly trials: readonly Trial[];
}

/** The file in a folder of results, or the file itself. */
function fileOf(path: string): string {
  if (!existsSync(path))
    throw new UserError(
      `--baseline ${path} is not there. Give the gate.json of an earlier gate (--out DIR keeps it), or the folder of an audit.`,
    );
  if (!statSync(path).isDirectory()) return path;
  const found = ['gate.json', 'audit.json'].map((name) => join(path, name)).find(existsSync);
  if (found !== undefined) return found;
  throw new UserError(
    `--baseline ${path} has neither gate.json nor audit.json: give the folder of an earlier gate or audit.`,
  );
}

/** Reads it. @throws UserError where it is none. */
export async function readEarlier(path: string): Promise<Earlier> {
  const file = fileOf(path);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UserError(
      `--baseline ${file} cannot be read (${(error as NodeJS.ErrnoException).code === undefined ? (error as Error).message : explainFileError(error, file, 'read')}): give a gate.json or an audit.json.`,
    );
  }
  const schema = (value as { schema?: unknown } | null)?.schema;
  const shape =
    schema === GATE_SCHEMA ? gateDocumentSchema : schema === AUDIT_SCHEMA ? auditDocumentSchema : null;
  const checked = shape?.safeParse(value);
  if (checked === undefined || !checked.success)
    throw new UserError(
      `--baseline ${file} is ${checked === undefined ? `no ${GATE_SCHEMA} and no ${AUDIT_SCHEMA}` : 'damaged, or of another version of Tare'}: give the gate.json of an earlier gate, or the folder of an audit.`,
    );
  const read = value as Omit<Earlier, 'from'>;
  if (read.plan === null || read.host === null)
    throw new UserError(
      `--baseline ${file} is the gate of a load run, which has no repetitions of a client.`,
    );
  const { tare_version, started_at, host, plan, floor, clients, trials } = read;
  return { from: basename(path), tare_version, started_at, host, plan, floor, clients, trials };
}

/** What is to run here. */
export interface Here {
  readonly version: string;
  readonly host: HostInfo;
  readonly plan: AuditPlan;
}

export interface Allowed {
  readonly otherHost: boolean;
  readonly otherVersion: boolean;
}

const machine = (host: HostInfo, plan: AuditPlan): string =>
  `${hostKey(host)}, ${host.allowed_cpus.length} of them allowed, ${plan.target_cpus === null ? 'not pinned' : 'pinned'}`;

/** In words what differs in what clients were asked; null where nothing does. */
function otherWorkload(then: AuditPlan, now: AuditPlan, trials: readonly Trial[]): string | null {
  const arrivalsOf = (plan: AuditPlan, client: string) => plan.arrivals_otherwise[client] ?? plan.arrivals;
  const asked: [string, unknown, unknown][] = [
    ['target', then.target.kind, now.target.kind],
    ['latency', then.latency, now.latency],
    ['output tokens', then.output_tokens, now.output_tokens],
    ['prompt tokens', then.prompt_tokens, now.prompt_tokens],
    ['workers', then.workers ?? 'auto', now.workers ?? 'auto'],
    ...now.clients
      .filter((client) => trials.some((trial) => trial.client === client))
      .map((client): [string, unknown, unknown] => [
        `arrivals of ${client}`,
        arrivalsOf(then, client),
        arrivalsOf(now, client),
      ]),
  ];
  const unlike = asked.filter(([, a, b]) => a !== b).map(([what, a, b]) => `${what} ${a} then, ${b} now`);
  return unlike.length === 0 ? null : unlike.join('; ');
}

/**
 * Repetitions of another length are comparable where arrivals have equal gaps: bias and rate do not depend on how long they go on, only how well they are
 * known. Random arrivals come together more often in a longer one.
 */
function otherLength(then: AuditPlan, now: AuditPlan): { note?: string; refused: string | null } {
  if (then.duration_s === now.duration_s) return { refused: null };
  const words = `repetitions of ${then.duration_s} s then, ${now.duration_s} s now`;
  const isRandom = now.clients.some(
    (client) => (now.arrivals_otherwise[client] ?? now.arrivals) !== 'constant',
  );
  return isRandom
    ? {
        refused: `${words}, and with random arrivals the figures depend on it: give --duration ${then.duration_s}s, and a --budget that holds three of them`,
      }
    : { refused: null, note: `${words}: with constant arrivals both tell the same` };
}

/** Why it cannot be compared with; null where it can. */
function refusal(earlier: Earlier, here: Here, allowed: Allowed): string | null {
  const { plan, host, version } = here;
  const cells = plan.clients.flatMap((client) => plan.rates_rps.map((rate) => [client, rate] as const));
  const has = cells.some(([client, rate]) =>
    earlier.trials.some((trial) => trial.client === client && trial.workload.rateRps === rate),
  );
  if (!has) return `it has no repetition of ${plan.clients.join(' or ')} at ${plan.rates_rps.join(' or ')}/s`;
  const workload = otherWorkload(earlier.plan, plan, earlier.trials);
  if (workload !== null) return `another workload (${workload})`;
  const { refused } = otherLength(earlier.plan, plan);
  if (refused !== null) return refused;
  const [then, now] = [machine(earlier.host, earlier.plan), machine(host, plan)];
  if (then !== now && !allowed.otherHost)
    return `another machine (${then}; here ${now}): what differs may be the machine's. --other-host compares all the same; --against CLIENT runs both here`;
  if (earlier.tare_version !== version && !allowed.otherVersion)
    return `it was measured by Tare ${earlier.tare_version}, this is ${version}: what differs may be Tare's. --other-version compares all the same`;
  return null;
}

const noteOf = ({ note }: { note?: string }) => (note === undefined ? {} : { note });

/** The baseline of a gate. */
export const baselineOf = (earlier: Earlier, here: Here, allowed: Allowed): Baseline => ({
  from: earlier.from,
  tare_version: earlier.tare_version,
  started_at: earlier.started_at,
  clients: Object.fromEntries(
    earlier.clients.flatMap(({ name, found }) =>
      here.plan.clients.includes(name) ? [[name, found.state === 'found' ? found.version : 'missing']] : [],
    ),
  ),
  refused: refusal(earlier, here, allowed),
  ...noteOf(otherLength(earlier.plan, here.plan)),
  trials: earlier.trials,
  floor: earlier.floor,
});
