/** guidellm, of the vLLM project: worker processes, a uvloop each. */
import { dirname, join } from 'node:path';
import type { Adapter, Found, Missing, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { describeExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { findOwn } from '../kit/own-python.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { facts } from './facts.ts';
import { parseResult } from './parse.ts';
import { prepare, RESULT_FILE } from './prepare.ts';
import { environment, GUIDELLM_VERSION, setup } from './setup.ts';

const NAME = 'guidellm';

const notesOn = (version: string): string[] =>
  version === GUIDELLM_VERSION
    ? []
    : [`its definitions were read in ${NAME} ${GUIDELLM_VERSION}; this is ${version} and may differ`];

/** The user's own first, then the one that tare setup made. */
async function find(): Promise<Found | Missing> {
  const own = await findOwn(NAME);
  if (own !== null && typeof own !== 'string') {
    return {
      state: 'found',
      version: own.version,
      path: own.command,
      origin: `the user's own ${NAME}`,
      notes: notesOn(own.version),
      handle: { program: own.command },
    };
  }
  const made = await findEnvironment(environment);
  if (typeof made === 'string') {
    const reason = own === null ? `no ${NAME} on PATH, and ${made}` : `${own}; ${made}`;
    return { state: 'missing', reason, remedy: `tare setup ${NAME}` };
  }
  const program = join(dirname(venvPython(made.folder)), NAME);
  return {
    state: 'found',
    version: made.marker.version,
    path: program,
    origin: 'an environment of its own by tare setup, with a stand-in for torch (it hands out prompts)',
    notes: own === null ? [] : [own],
    handle: { program, torch: 'stand-in' },
  };
}

async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, RESULT_FILE));
  if (!json.ok && request.exitCode !== 0) {
    const { exitCode, stderrFile, stdoutFile } = request;
    return { state: 'failed', reason: await describeExit(exitCode, stderrFile, stdoutFile) };
  }
  return parseResult(json, request.workload);
}

export const guidellmAdapter: Adapter = {
  name: NAME,
  title: NAME,
  facts,
  find,
  setup,
  prepare,
  parse,
  refuses: (workload) => refuseArrivals(NAME, facts, workload),
};
