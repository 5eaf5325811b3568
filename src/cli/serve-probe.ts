/** `tare serve --probe`: the target that plays probes, alone. */
import type { Command } from 'commander';
import { loadProbes, probePlaces } from '../../probes/catalogue.ts';
import { serveProbe } from '../../simulators/probe/server.ts';
import type { Script } from '../../simulators/probe/slots.ts';
import type { PacingChoice } from '../../simulators/reference/options.ts';
import { UserError } from '../system/user-error.ts';
import { near } from './probe-choice.ts';
import { checkHost, endOfService } from './serve-shared.ts';

export interface ServeProbeFlags {
  readonly probe: readonly string[];
  readonly plainFirst: number;
  readonly port: number;
  readonly host: string;
  readonly expose?: true;
  readonly ledger?: string;
  readonly model: string;
  readonly pacing: PacingChoice;
  readonly warmUp: number;
  readonly parentPid?: number;
}

/** A client's run of a few probes takes seconds: warming up must not take as long. */
const MOST_WARM_UP_MS = 150;

/** Flags of `tare serve` that mean something to probes too, as commander names them. */
const TAKEN = new Set<string>([
  ...['probe', 'plainFirst', 'port', 'host', 'expose'],
  ...['ledger', 'model', 'pacing', 'parentPid', 'warmUp'],
]);

/** A probe says itself what is sent and when: a flag that would be passed over is refused. */
function refuseOthers(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    if (!TAKEN.has(name) && command.getOptionValueSource(name) === 'cli')
      throw new UserError(
        `${option.long} has no meaning with --probe: the probe says itself what is sent and when. Leave one of them out`,
      );
  }
}

/** The probes of these ids, as a target plays them. Throws a UserError for one that there is not, or that has no script. */
async function scriptsOf(ids: readonly string[]): Promise<Script[]> {
  const known = probePlaces().map(({ id }) => id);
  if (ids.length === 0) throw new UserError('--probe names no probe: give ids, see tare probe --list');
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    const meant = near(unknown, known);
    const hint = meant.length > 0 ? `; near it: ${meant.join(', ')}` : '';
    throw new UserError(`there is no probe "${unknown}"${hint}. See tare probe --list`);
  }
  const probes = await loadProbes(ids);
  return probes.map((probe) => {
    const { id, answer } = probe;
    if (answer === undefined)
      throw new UserError(`probe "${id}" is one of load, on the reference target: it has no answer to play`);
    const tokens = probe.scope === 'load' ? undefined : probe.tokens;
    return { id, answer, ...(tokens === undefined ? {} : { tokens }) };
  });
}

/** Serves until SIGTERM, SIGINT or the parent's end. */
export async function serveProbes(flags: ServeProbeFlags, command: Command): Promise<void> {
  refuseOthers(command);
  checkHost(flags);
  const ended = endOfService(flags.parentPid);
  const { probe: ids, plainFirst, host, port, model, pacing } = flags;
  const target = await serveProbe({
    scripts: await scriptsOf(ids),
    plainFirst,
    host,
    port,
    model,
    pacing,
    ledgerFile: flags.ledger ?? null,
    warmUpMs: Math.min(flags.warmUp, MOST_WARM_UP_MS),
  });
  const ready = { ready: true, url: target.url, port: target.port, pid: process.pid, model };
  process.stdout.write(
    `${JSON.stringify({ ...ready, probes: ids, plain_first: plainFirst, pacing: target.pacing })}\n`,
  );
  await ended;
  const { requests } = await target.stop();
  if (flags.ledger !== undefined)
    process.stderr.write(`probe ledger of ${requests.length} requests: ${flags.ledger}\n`);
}
