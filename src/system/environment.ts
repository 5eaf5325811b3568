/** The environment that launched programs get. */
import { MARKER_VARIABLE, markerValue } from './trial-marker.ts';

type Environment = Record<string, string>;

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/** Adds loopback to a no_proxy list, so that a proxy of the user's does not come between client and target. */
function withoutProxyOnLoopback(list: string | undefined): string {
  const hosts = (list ?? '').split(',').filter((host) => host.trim() !== '');
  if (hosts.includes('*')) return list!;
  return [...hosts, ...LOOPBACK.filter((host) => !hosts.includes(host))].join(',');
}

/**
 * This process's environment with `changes` (null removes a variable), the mark, and loopback kept from any proxy.
 * `inherited` is handed in by tests.
 */
export function launchEnvironment(
  changes: Readonly<Record<string, string | null>>,
  marker: string,
  inherited: NodeJS.ProcessEnv = process.env,
): Environment {
  const environment: Environment = {};
  for (const [name, value] of Object.entries(inherited)) if (value !== undefined) environment[name] = value;
  for (const name of ['no_proxy', 'NO_PROXY']) environment[name] = withoutProxyOnLoopback(environment[name]);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete environment[name];
    else environment[name] = value;
  }
  environment[MARKER_VARIABLE] = markerValue(marker, inherited[MARKER_VARIABLE]);
  return environment;
}
