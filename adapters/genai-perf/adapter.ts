/** GenAI-Perf: NVIDIA's Python program around perf_analyzer, being phased out for AIPerf. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import { UserError } from '../../src/system/user-error.ts';
import type { Adapter, ClientCommand, LaunchRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { prompts } from '../kit/prompts.ts';
import { OFFLINE_ENV, writeTokenizer } from '../kit/tokenizer.ts';
import { genaiPerfFacts } from './facts.ts';
import { findGenaiPerf, realSurroundings, run } from './find.ts';
import { ARTIFACTS, parseGenaiPerf } from './parse.ts';
import { commandThere, type Place, VARIABLES } from './prefix.ts';
import { installedProgram, setupGenaiPerf } from './setup.ts';
import { openWork } from './work.ts';

const PROMPTS = 'prompts.jsonl';
const TOKENIZER = 'tokenizer';
/** Distinct prompts; perf_analyzer goes round. */
const DISTINCT = 100;

function placeOf(handle: Readonly<Record<string, string>>): Place {
  return { prefix: JSON.parse(handle.prefix!), root: handle.root ?? null, program: handle.program! };
}

/** A prefix that sees another file tree, without the variable that says so, would fail in GenAI-Perf's own, longer words. */
async function requireVisible(place: Place, folder: string): Promise<void> {
  if (place.prefix.length === 0) return;
  const said = await run([...place.prefix, 'test', '-d', folder], {});
  if (said.failed) {
    throw new UserError(
      `"${place.prefix.join(' ')}" does not see ${folder}: set ${VARIABLES.root} to the folder here that is its root, or mount the results folder there under the same path`,
    );
  }
}

async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found, url, model } = request;
  const place = placeOf(found.handle);
  const work = await openWork(place, dir);
  await requireVisible(place, work.there);
  const there = (name: string): string => `${work.there}/${name}`;
  await writeTokenizer(join(work.here, TOKENIZER));
  // Our own prompts: its synthetic ones are drawn from a text that our tokenizer does not know.
  const lines = prompts(workload.seed, workload.requests, workload.promptTokens, DISTINCT);
  await writeFile(join(work.here, PROMPTS), lines.map((text) => `${JSON.stringify({ text })}\n`).join(''));
  await mkdir(join(work.here, ARTIFACTS));
  const args = [
    ...['profile', '-m', model, '-u', url, '--endpoint-type', 'chat', '--streaming'],
    ...['--tokenizer', there(TOKENIZER), '--input-file', there(PROMPTS)],
    ...['--request-rate', String(workload.rateRps), '--request-count', String(workload.requests)],
    ...['--output-tokens-mean', String(workload.outputTokens)],
    ...['--extra-inputs', 'ignore_eos:true', '--extra-inputs', `min_tokens:${workload.outputTokens}`],
    // -v, since only then perf_analyzer's remark on late requests is shown.
    ...['--random-seed', String(workload.seed), '--artifact-dir', there(ARTIFACTS), '-v'],
    ...['--', '--request-distribution', workload.arrivals.kind],
  ];
  // COLUMNS: its log wraps lines at the width of a terminal that is not there.
  const env = { ...OFFLINE_ENV, COLUMNS: '400' };
  const command = commandThere(place, place.program!, args, env);
  return { argv: command.argv, env: { ...CLIENT_ENV, ...command.env }, cwd: dir };
}

/** Why GenAI-Perf cannot be asked for this workload, or null. */
export function refusal(workload: Workload): string | null {
  if (workload.requests < workload.rateRps) {
    return 'perf_analyzer takes no fewer requests than the rate, that is, no less than one second';
  }
  return refuseArrivals('GenAI-Perf', genaiPerfFacts, workload);
}

export const genaiPerfAdapter: Adapter = {
  name: 'genai-perf',
  title: 'GenAI-Perf',
  facts: genaiPerfFacts,
  find: async () => findGenaiPerf(realSurroundings(await installedProgram())),
  setup: setupGenaiPerf,
  prepare,
  parse: parseGenaiPerf,
  refuses: refusal,
};
