/**
 * The client-only set-up of SGLang's serving benchmark: the wheel's own benchmark modules and Rust extension with the few packages
 * that they import, in about 0.4 GB instead of a whole SGLang with torch and CUDA.
 */
import { asset } from '../../src/system/package-root.ts';
import { type EnvironmentSpec, makeEnvironment, type Say } from '../kit/venv.ts';
import { takeWheel } from '../kit/wheel.ts';

/** The release whose benchmark is set up, and that the facts were read in. */
export const SGLANG_VERSION = '0.5.23';

const part = {
  name: 'sglang',
  version: SGLANG_VERSION,
  megabytes: 39,
  patterns: ['sglang/benchmark/*.py', 'sglang/srt/utils/network.py', 'sglang/srt/rust_extensions/_bench*.so'],
};

export const environment: EnvironmentSpec = {
  client: 'sglang',
  version: SGLANG_VERSION,
  // The wheels are of single Python versions, and there is none for others.
  range: { from: [3, 11], to: [3, 13] },
  requirementsFile: asset('adapters/sglang/requirements.txt'),
  needsMb: 700,
  finish: (folder, python, say) => takeWheel(part, folder, python, say),
};

/** Makes the client-only environment; both of SGLang's clients use it. */
export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
