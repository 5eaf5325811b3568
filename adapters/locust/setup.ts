/** locust's own environment. */
import { asset } from '../../src/system/package-root.ts';
import { type EnvironmentSpec, makeEnvironment, type Say } from '../kit/venv.ts';

/** The release that is set up, and that the facts were read in. */
export const LOCUST_VERSION = '2.47.0';

export const environment: EnvironmentSpec = {
  client: 'locust',
  version: LOCUST_VERSION,
  range: { from: [3, 11], to: [3, 14] },
  requirementsFile: asset('adapters/locust/requirements.txt'),
  needsMb: 150,
};

export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
