/** vLLM bench: `vllm bench serve`, which is two clients, one in Python and one in Rust. */
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import type { Adapter, ClientFacts, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { pythonFacts, rustFacts } from './facts.ts';
import { locate, type VllmKind } from './locate.ts';
import { parseResult } from './parse.ts';
import { prepare, RESULT_FILE, refuseLengths, requestIdPrefix } from './prepare.ts';
import { setup } from './setup.ts';

async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, RESULT_FILE));
  if (!json.ok && request.exitCode !== 0) return failedExit(request);
  return parseResult(json, requestIdPrefix(request.workload.seed));
}

const make = (name: string, title: string, kind: VllmKind, facts: ClientFacts): Adapter => ({
  name,
  title,
  facts,
  find: () => locate(kind),
  setup,
  prepare,
  parse,
  refuses: (workload: Workload) => refuseArrivals(title, facts, workload) ?? refuseLengths(workload),
});

export const vllmAdapter = make('vllm', 'vLLM bench (Python)', 'python', pythonFacts);
export const vllmRustAdapter = make('vllm-rs', 'vLLM bench (Rust)', 'rust', rustFacts);
