/** guidellm, of the vLLM project: worker processes, a uvloop each. */
import { join } from 'node:path';
import type { Adapter, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { findPythonClient, type PythonClient } from '../kit/python-client.ts';
import { facts } from './facts.ts';
import { parseResult } from './parse.ts';
import { prepare, RESULT_FILE } from './prepare.ts';
import { environment, setup } from './setup.ts';

const NAME = 'guidellm';

const client: PythonClient = {
  command: NAME,
  environment,
  originMore: ', with a stand-in for torch (it hands out prompts)',
  handleMore: { torch: 'stand-in' },
};

async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, RESULT_FILE));
  if (!json.ok && request.exitCode !== 0) return failedExit(request);
  return parseResult(json, request.workload);
}

export const guidellmAdapter: Adapter = {
  name: NAME,
  title: NAME,
  facts,
  find: () => findPythonClient(client),
  setup,
  prepare,
  parse,
  refuses: (workload) => refuseArrivals(NAME, facts, workload),
};
