/** Inference X: `utils/bench_serving/benchmark_serving.py` of a checkout of InferenceX (formerly InferenceMAX), derived from vLLM's. */
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import type { Adapter, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { facts } from './facts.ts';
import { find } from './find.ts';
import { parseResult } from './parse.ts';
import { prepare, RESULT_FILE } from './prepare.ts';
import { setup } from './setup.ts';

async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, RESULT_FILE));
  if (!json.ok && request.exitCode !== 0) return failedExit(request);
  return parseResult(json);
}

export const inferenceXAdapter: Adapter = {
  name: 'inference-x',
  title: 'Inference X (benchmark_serving.py)',
  facts,
  find: () => find(),
  setup,
  prepare,
  parse,
  refuses: (workload: Workload) => refuseArrivals('Inference X', facts, workload),
};
