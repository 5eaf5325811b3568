/**
 * The client-only set-up of vLLM's serving benchmark: the wheel's own benchmark modules and Rust binary with the few packages that
 * they import, in about 0.5 GB instead of the 7 GB of a whole vLLM with torch and CUDA.
 */
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import { type EnvironmentSpec, makeEnvironment, type Say } from '../kit/venv.ts';
import { takeWheel, wheelFolder } from '../kit/wheel.ts';

/** The release whose benchmark is set up, and that the facts were read in. */
export const VLLM_VERSION = '0.33.0';

const part = {
  name: 'vllm',
  version: VLLM_VERSION,
  megabytes: 340,
  patterns: ['vllm/*.py', 'vllm/vllm-rs'],
};

export const environment: EnvironmentSpec = {
  client: 'vllm',
  version: VLLM_VERSION,
  range: { from: [3, 11], to: [3, 14] },
  requirementsFile: asset('adapters/vllm/requirements.txt'),
  needsMb: 1200,
  async finish(folder, python, say) {
    await takeWheel(part, folder, python, say);
    const binary = join(wheelFolder(folder), 'vllm', 'vllm-rs');
    if (existsSync(binary)) await chmod(binary, 0o755);
  },
};

/** Makes the client-only environment; both of vLLM's clients use it. */
export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
