/** GenAI-Perf's own environment, where this machine's C library allows one. */
import { dirname, join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import { UserError } from '../../src/system/user-error.ts';
import { type EnvironmentSpec, findEnvironment, makeEnvironment, type Say, venvPython } from '../kit/venv.ts';
import { genaiPerfFacts } from './facts.ts';
import { atLeast, ELSEWHERE, glibcReason, hostGlibc } from './glibc.ts';

const environment: EnvironmentSpec = {
  client: 'genai-perf',
  version: genaiPerfFacts.version,
  range: { from: [3, 10], to: [3, 13] },
  requirementsFile: asset('adapters/genai-perf/requirements.txt'),
  needsMb: 1200,
};

/** @throws UserError where perf_analyzer's wheel does not fit this C library. */
export function requireGlibc(glibc: string | null): void {
  if (!atLeast(glibc)) throw new UserError(`${glibcReason(glibc)}.\nInstead, ${ELSEWHERE}`);
}

export async function setupGenaiPerf(say: Say): Promise<void> {
  requireGlibc(await hostGlibc());
  await makeEnvironment(environment, say);
}

/** The program in the environment that setupGenaiPerf made; null without one. */
export async function installedProgram(): Promise<{ program: string; version: string } | null> {
  const found = await findEnvironment(environment);
  if (typeof found === 'string') return null;
  const program = join(dirname(venvPython(found.folder)), 'genai-perf');
  return { program, version: found.marker.version };
}
