/** The asyncio script: Tare's own example of the single-process benchmark that most people write. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import type {
  Adapter,
  ClientCommand,
  Found,
  LaunchRequest,
  Missing,
  Parsed,
  ParseRequest,
} from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { failedExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { prompts } from '../kit/prompts.ts';
import { type EnvironmentSpec, findEnvironment, makeEnvironment, type Say, venvPython } from '../kit/venv.ts';
import { facts } from './facts.ts';
import { parseResult } from './parse.ts';

const NAME = 'asyncio';
const SCRIPT = asset('adapters/asyncio/benchmark.py');

/** As pinned in requirements.txt. */
const AIOHTTP_VERSION = '3.14.5';

const environment: EnvironmentSpec = {
  client: NAME,
  version: AIOHTTP_VERSION,
  range: { from: [3, 10], to: [3, 14] },
  requirementsFile: asset('adapters/asyncio/requirements.txt'),
  needsMb: 100,
};

async function find(): Promise<Found | Missing> {
  const found = await findEnvironment(environment);
  if (typeof found === 'string') return { state: 'missing', reason: found, remedy: 'tare setup asyncio' };
  return {
    state: 'found',
    version: `aiohttp ${found.marker.version}, Python ${found.marker.python}`,
    path: SCRIPT,
    origin: 'part of Tare; its environment by tare setup',
    notes: [],
    handle: { python: venvPython(found.folder), script: SCRIPT },
  };
}

async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found } = request;
  const promptsFile = join(dir, 'prompts.json');
  await writeFile(
    promptsFile,
    JSON.stringify(prompts(workload.seed, workload.requests, workload.promptTokens)),
  );
  const arrivals =
    workload.arrivals.kind === 'gamma'
      ? ['--arrivals', 'gamma', '--cv2', String(workload.arrivals.cv2)]
      : ['--arrivals', workload.arrivals.kind];
  return {
    argv: [
      found.handle.python!,
      found.handle.script!,
      ...['--base-url', request.url, '--model', request.model, '--prompts', promptsFile],
      ...['--requests', String(workload.requests), '--rate', String(workload.rateRps), ...arrivals],
      ...['--output-tokens', String(workload.outputTokens), '--seed', String(workload.seed)],
      ...(request.variants?.includes('plain-json') ? ['--no-stream'] : []),
      ...['--result', join(dir, 'result.json')],
    ],
    env: { PYTHONPATH: null, PYTHONSTARTUP: null },
    cwd: dir,
  };
}

async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, 'result.json'));
  if (!json.ok && request.exitCode !== 0) return failedExit(request);
  return parseResult(json);
}

export const asyncioAdapter: Adapter = {
  name: NAME,
  title: 'asyncio script (aiohttp, one process)',
  facts,
  find,
  setup: (say: Say) => makeEnvironment(environment, say),
  prepare,
  parse,
  refuses: (workload) => refuseArrivals('the asyncio script', facts, workload),
};
