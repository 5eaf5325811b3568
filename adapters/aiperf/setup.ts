/** AIPerf's own environment. */
import { asset } from '../../src/system/package-root.ts';
import { type EnvironmentSpec, makeEnvironment, type Say } from '../kit/venv.ts';

/** The release that is set up, and that the facts were read in. */
export const AIPERF_VERSION = '0.13.0';

export const environment: EnvironmentSpec = {
  client: 'aiperf',
  version: AIPERF_VERSION,
  range: { from: [3, 11], to: [3, 13] },
  requirementsFile: asset('adapters/aiperf/requirements.txt'),
  needsMb: 1600,
};

export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
