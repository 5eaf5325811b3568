/** SGLang bench: `python -m sglang.bench_serving`, which is two clients, one in Python and one in Rust. */
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import type { Adapter, ClientFacts, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { pythonFacts, rustFacts } from './facts.ts';
import { locate, type SglangKind } from './locate.ts';
import { parseResult } from './parse.ts';
import { prepare, RESULT_FILE, refuseLengths } from './prepare.ts';
import { setup } from './setup.ts';

async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, RESULT_FILE));
  if (!json.ok && request.exitCode !== 0) return failedExit(request);
  return parseResult(json, request.workload.requests);
}

const make = (name: string, title: string, kind: SglangKind, facts: ClientFacts): Adapter => ({
  name,
  title,
  facts,
  find: () => locate(kind),
  setup,
  prepare,
  parse,
  refuses: (workload: Workload) => refuseArrivals(title, facts, workload) ?? refuseLengths(workload),
});

export const sglangAdapter = make('sglang', 'SGLang bench (Python)', 'python', pythonFacts);
export const sglangRustAdapter = make('sglang-rs', 'SGLang bench (Rust)', 'rust', rustFacts);
