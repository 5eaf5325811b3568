/** Inference Perf, of the Kubernetes project: worker processes, a uvloop each. */
import { dirname, join } from 'node:path';
import type { Adapter, Found, Missing, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { describeExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { findOwn } from '../kit/own-python.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { facts } from './facts.ts';
import { parseResult, RECORDS_FILE, STAGE_FILE } from './parse.ts';
import { prepare, REPORTS } from './prepare.ts';
import { environment, INFERENCE_PERF_VERSION, setup } from './setup.ts';

const NAME = 'inference-perf';
const TITLE = 'Inference Perf';

const notesOn = (version: string): string[] =>
  version === INFERENCE_PERF_VERSION
    ? []
    : [`its definitions were read in ${NAME} ${INFERENCE_PERF_VERSION}; this is ${version} and may differ`];

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
    origin: 'an environment of its own by tare setup',
    notes: own === null ? [] : [own],
    handle: { program },
  };
}

async function parse(request: ParseRequest): Promise<Parsed> {
  const reports = join(request.dir, REPORTS);
  const stage = await readLooseJson(join(reports, STAGE_FILE));
  if (!stage.ok && request.exitCode !== 0) {
    const { exitCode, stderrFile, stdoutFile } = request;
    return { state: 'failed', reason: await describeExit(exitCode, stderrFile, stdoutFile) };
  }
  return parseResult(stage, await readLooseJson(join(reports, RECORDS_FILE)), request.workload);
}

export const inferencePerfAdapter: Adapter = {
  name: NAME,
  title: TITLE,
  facts,
  find,
  setup,
  prepare,
  parse,
  refuses: (workload) => refuseArrivals(TITLE, facts, workload),
};
