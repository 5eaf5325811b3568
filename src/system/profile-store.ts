/** Cost profiles that were measured on this machine, kept in the cache folder: `profiles/<client>.json`. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CostProfile } from '../measure/cost.ts';
import { cacheRoot } from './cache-folder.ts';
import type { HostInfo } from './host.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a profile is bound to: CPU model, cores and Node. */
export const hostKey = (host: Pick<HostInfo, 'cpu_model' | 'cores' | 'node'>): string =>
  `${host.cpu_model}, ${host.cores} cores, Node ${host.node}`;

const fileOf = (client: string, env: Environment): string =>
  join(cacheRoot(env), 'profiles', `${client.replace(/[^A-Za-z0-9._-]/g, '_')}.json`);

/** The profile of a client, or why there is none that holds here. */
export function readProfile(
  client: string,
  host: string,
  env: Environment = process.env,
): { readonly profile: CostProfile } | { readonly profile: null; readonly why: string } {
  let profile: CostProfile;
  try {
    profile = JSON.parse(readFileSync(fileOf(client, env), 'utf8')) as CostProfile;
  } catch {
    return { profile: null, why: `${client} has no profile on this machine` };
  }
  if (profile.schema !== 'tare-cost/1')
    return { profile: null, why: `the profile of ${client} is of another version of Tare` };
  if (profile.host !== host)
    return { profile: null, why: `the profile of ${client} is of another machine (${profile.host})` };
  return { profile };
}

/** Keeps a profile; the file is whole or not there. Returns its path. */
export function writeProfile(profile: CostProfile, env: Environment = process.env): string {
  const file = fileOf(profile.client, env);
  mkdirSync(join(cacheRoot(env), 'profiles'), { recursive: true });
  writeFileSync(`${file}.part`, `${JSON.stringify(profile, null, 2)}\n`);
  renameSync(`${file}.part`, file);
  return file;
}
