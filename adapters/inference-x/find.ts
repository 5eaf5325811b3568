/** InferenceX can run where there is a checkout of the user's and the environment that tare setup makes. */
import type { Found, Missing } from '../contract.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { findCheckout, READ, VARIABLE } from './checkout.ts';
import { environment } from './setup.ts';

const CLONE = `clone SemiAnalysisAI/InferenceX from GitHub and set ${VARIABLE} to its folder`;

export async function find(
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = process.cwd(),
): Promise<Found | Missing> {
  const checkout = await findCheckout(env, cwd);
  const python = await findEnvironment(environment);
  const lacksPython = typeof python === 'string';
  if (typeof checkout === 'string') {
    return {
      state: 'missing',
      reason: lacksPython ? `${checkout}; its Python environment: ${python}` : checkout,
      remedy: lacksPython ? `${CLONE}, then tare setup inference-x` : CLONE,
    };
  }
  if (lacksPython) {
    return {
      state: 'missing',
      reason: `there is a checkout (${checkout.script}), but its Python environment: ${python}`,
      remedy: 'tare setup inference-x',
    };
  }
  const differs = checkout.differs.join(' and ');
  return {
    state: 'found',
    version: checkout.version,
    path: checkout.script,
    origin: "the user's own checkout; its Python environment by tare setup",
    notes:
      differs === ''
        ? []
        : [`its definitions were read in ${READ.commit} (${READ.date}), whose ${differs} is another`],
    handle: { program: venvPython(python.folder), script: checkout.script },
  };
}
