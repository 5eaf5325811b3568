/** Inference Perf's own environment. Its `analysis` extra (matplotlib) is left out: Tare draws for itself. */
import { asset } from '../../src/system/package-root.ts';
import { type EnvironmentSpec, makeEnvironment, type Say } from '../kit/venv.ts';

/** The release that is set up, and that the facts were read in. */
export const INFERENCE_PERF_VERSION = '0.7.0';

export const environment: EnvironmentSpec = {
  client: 'inference-perf',
  version: INFERENCE_PERF_VERSION,
  range: { from: [3, 12], to: [3, 13] },
  requirementsFile: asset('adapters/inference-perf/requirements.txt'),
  needsMb: 1200,
};

export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
