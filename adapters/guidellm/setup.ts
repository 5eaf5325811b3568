/**
 * guidellm's own environment, without torch. Its package requires torch, several gigabytes with CUDA, for handing out prompts only;
 * so it is installed without its dependencies, these are pinned here, and a stand-in takes torch's place (stand-in/torch).
 */
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import { UserError } from '../../src/system/user-error.ts';
import { type EnvironmentSpec, makeEnvironment, pip, type Say } from '../kit/venv.ts';

/** The release that is set up, and that the facts were read in. */
export const GUIDELLM_VERSION = '0.8.1';

async function finish(folder: string, python: string, say: Say): Promise<void> {
  await pip(python, ['install', '--no-deps', `guidellm==${GUIDELLM_VERSION}`], say);
  const lib = join(folder, 'venv', 'lib');
  const version = (await readdir(lib)).find((name) => name.startsWith('python'));
  if (!version)
    throw new UserError(`the environment in ${folder} has no lib/python…; run the set-up again`, 1);
  const target = join(lib, version, 'site-packages', 'torch');
  await rm(target, { recursive: true, force: true });
  await cp(asset('adapters/guidellm/stand-in/torch'), target, { recursive: true });
  say('a stand-in for torch is in its place');
}

export const environment: EnvironmentSpec = {
  client: 'guidellm',
  version: GUIDELLM_VERSION,
  range: { from: [3, 12], to: [3, 13] },
  requirementsFile: asset('adapters/guidellm/requirements.txt'),
  needsMb: 1100,
  finish,
};

export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
