/**
 * The client-only set-up of vLLM's serving benchmark: the wheel's own benchmark modules and Rust binary with the few packages that
 * they import, in about 0.5 GB instead of the 7 GB of a whole vLLM with torch and CUDA.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { asset } from '../../src/system/package-root.ts';
import { UserError } from '../../src/system/user-error.ts';
import { type EnvironmentSpec, makeEnvironment, pip, type Say } from '../kit/venv.ts';

/** The release whose benchmark is set up, and that the facts were read in. */
export const VLLM_VERSION = '0.33.0';

/** The folder, within the client's, that holds the wheel's vllm/ tree. */
export const WHEEL_FOLDER = 'wheel';

async function takeWheel(folder: string, python: string, say: Say): Promise<void> {
  const downloads = join(folder, 'download');
  const target = join(folder, WHEEL_FOLDER);
  await rm(downloads, { recursive: true, force: true });
  await rm(target, { recursive: true, force: true });
  say(`vllm ${VLLM_VERSION}: the wheel, about 340 MB, without its dependencies`);
  const options = ['--no-deps', '--no-cache-dir', '--only-binary', ':all:', '--dest', downloads];
  await pip(python, ['download', ...options, `vllm==${VLLM_VERSION}`], say);
  const wheel = (await readdir(downloads)).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new UserError(`pip left no wheel of vllm ${VLLM_VERSION} in ${downloads}`, 1);
  const unpacked = await execa(python, [asset('adapters/vllm/unpack.py'), join(downloads, wheel), target], {
    reject: false,
    timeout: 300_000,
  });
  if (unpacked.failed) throw new UserError(`the vllm wheel could not be unpacked: ${unpacked.stderr}`, 1);
  await rm(downloads, { recursive: true, force: true });
  say(`unpacked ${unpacked.stdout}, each as the wheel's RECORD says`);
}

export const environment: EnvironmentSpec = {
  client: 'vllm',
  version: VLLM_VERSION,
  range: { from: [3, 11], to: [3, 14] },
  requirementsFile: asset('adapters/vllm/requirements.txt'),
  needsMb: 1200,
  finish: takeWheel,
};

/** Makes the client-only environment; both of vLLM's clients use it. */
export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
