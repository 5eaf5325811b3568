/** A Python client that is a command: the user's own on PATH first, then the one that tare setup made. */
import { dirname, join } from 'node:path';
import type { Found, Missing } from '../contract.ts';
import { findOwn } from './own-python.ts';
import { type EnvironmentSpec, findEnvironment, venvPython } from './venv.ts';
import { versionNotes } from './version-note.ts';

export interface PythonClient {
  /** The command, which is also the name of its set-up. */
  readonly command: string;
  /** Made by tare setup; its version is the one that the facts were read in. */
  readonly environment: EnvironmentSpec;
  /** What to add to where a set-up's client comes from, and to its handle. */
  readonly originMore?: string;
  readonly handleMore?: Readonly<Record<string, string>>;
}

/** @param path as $PATH; for tests. */
export async function findPythonClient(client: PythonClient, path?: string): Promise<Found | Missing> {
  const { command, environment } = client;
  const own = await findOwn(command, path);
  if (own !== null && typeof own !== 'string') {
    return {
      state: 'found',
      version: own.version,
      path: own.command,
      origin: `the user's own ${command}`,
      notes: versionNotes(command, environment.version, own.version),
      handle: { program: own.command },
    };
  }
  const made = await findEnvironment(environment);
  if (typeof made === 'string') {
    const reason = own === null ? `no ${command} on PATH, and ${made}` : `${own}; ${made}`;
    return { state: 'missing', reason, remedy: `tare setup ${command}` };
  }
  const program = join(dirname(venvPython(made.folder)), command);
  return {
    state: 'found',
    version: made.marker.version,
    path: program,
    origin: `an environment of its own by tare setup${client.originMore ?? ''}`,
    notes: own === null ? [] : [own],
    handle: { program, ...client.handleMore },
  };
}
