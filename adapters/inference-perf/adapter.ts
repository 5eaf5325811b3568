/** Inference Perf, of the Kubernetes project: worker processes, a uvloop each. */
import { join } from 'node:path';
import type { Adapter, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { findPythonClient } from '../kit/python-client.ts';
import { facts } from './facts.ts';
import { parseResult, RECORDS_FILE, STAGE_FILE } from './parse.ts';
import { prepare, REPORTS } from './prepare.ts';
import { environment, setup } from './setup.ts';

const NAME = 'inference-perf';
const TITLE = 'Inference Perf';

async function parse(request: ParseRequest): Promise<Parsed> {
  const reports = join(request.dir, REPORTS);
  const stage = await readLooseJson(join(reports, STAGE_FILE));
  if (!stage.ok && request.exitCode !== 0) return failedExit(request);
  return parseResult(stage, await readLooseJson(join(reports, RECORDS_FILE)), request.workload);
}

export const inferencePerfAdapter: Adapter = {
  name: NAME,
  title: TITLE,
  facts,
  find: () => findPythonClient({ command: NAME, environment }),
  setup,
  prepare,
  parse,
  refuses: (workload) => refuseArrivals(TITLE, facts, workload),
};
