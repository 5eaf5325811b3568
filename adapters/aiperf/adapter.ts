/** NVIDIA AIPerf: many processes, an asyncio loop each. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { describeExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { findPythonClient } from '../kit/python-client.ts';
import { facts } from './facts.ts';
import { describeFailures, parseResult } from './parse.ts';
import { ARTIFACTS, prepare } from './prepare.ts';
import { environment, setup } from './setup.ts';

const TITLE = 'NVIDIA AIPerf';

async function parse(request: ParseRequest): Promise<Parsed> {
  const artifacts = join(request.dir, ARTIFACTS);
  const json = await readLooseJson(join(artifacts, 'profile_export_aiperf.json'));
  const records = await readFile(join(artifacts, 'profile_export.jsonl'), 'utf8').catch(() => null);
  if (!json.ok && request.exitCode !== 0) {
    const { exitCode, stderrFile, stdoutFile } = request;
    const reason = await describeExit(exitCode, stderrFile, stdoutFile);
    return { state: 'failed', reason: (records && describeFailures(records)) ?? reason };
  }
  return parseResult(json, records);
}

export const aiperfAdapter: Adapter = {
  name: 'aiperf',
  title: TITLE,
  facts,
  find: () => findPythonClient({ command: 'aiperf', environment }),
  setup,
  prepare,
  parse,
  refuses: (workload) => refuseArrivals(TITLE, facts, workload),
};
