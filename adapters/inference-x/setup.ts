/** The Python environment that InferenceX's serving benchmark runs in. The benchmark itself is a checkout of the user's. */
import { asset } from '../../src/system/package-root.ts';
import { type EnvironmentSpec, makeEnvironment, type Say } from '../kit/venv.ts';

/** As pinned in requirements.txt. */
const AIOHTTP_VERSION = '3.14.5';

export const environment: EnvironmentSpec = {
  client: 'inference-x',
  version: AIOHTTP_VERSION,
  range: { from: [3, 11], to: [3, 14] },
  requirementsFile: asset('adapters/inference-x/requirements.txt'),
  needsMb: 600,
};

export const setup = (say: Say): Promise<void> => makeEnvironment(environment, say);
