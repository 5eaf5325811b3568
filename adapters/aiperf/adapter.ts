/** NVIDIA AIPerf: many processes, an asyncio loop each. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Adapter, Found, Missing, Parsed, ParseRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { describeExit } from '../kit/failure.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { findOwn } from '../kit/own-python.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { facts } from './facts.ts';
import { describeFailures, parseResult } from './parse.ts';
import { ARTIFACTS, prepare } from './prepare.ts';
import { AIPERF_VERSION, environment, setup } from './setup.ts';

const TITLE = 'NVIDIA AIPerf';

const notesOn = (version: string): string[] =>
  version === AIPERF_VERSION
    ? []
    : [`its definitions were read in aiperf ${AIPERF_VERSION}; this is ${version} and may differ`];

/** The user's own first, then the one that tare setup made. */
async function find(path?: string): Promise<Found | Missing> {
  const own = await findOwn('aiperf', path);
  if (own !== null && typeof own !== 'string') {
    return {
      state: 'found',
      version: own.version,
      path: own.command,
      origin: "the user's own aiperf",
      notes: notesOn(own.version),
      handle: { program: own.command },
    };
  }
  const made = await findEnvironment(environment);
  if (typeof made === 'string') {
    const reason = own === null ? `no aiperf on PATH, and ${made}` : `${own}; ${made}`;
    return { state: 'missing', reason, remedy: 'tare setup aiperf' };
  }
  const program = join(dirname(venvPython(made.folder)), 'aiperf');
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
  find: () => find(),
  setup,
  prepare,
  parse,
  refuses: (workload) => refuseArrivals(TITLE, facts, workload),
};
