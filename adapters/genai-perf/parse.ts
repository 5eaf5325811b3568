/** From what GenAI-Perf left in a trial's folder to a report. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientRecord, Parsed, ParseRequest } from '../contract.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { readExport } from './export.ts';
import { causeOf, warningsIn } from './failure.ts';
import { readRequests } from './requests.ts';
import { closeWork } from './work.ts';

export const ARTIFACTS = 'artifacts';
const EXPORT = 'profile_export_genai_perf.json';
const REQUESTS = 'profile_export.json';

/** The one folder that GenAI-Perf makes, named after model, endpoint and rate; null where it got not that far. */
async function artifactFolder(dir: string): Promise<string | null> {
  const folder = join(dir, ARTIFACTS);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const made = entries.find((entry) => entry.isDirectory());
  return made ? join(folder, made.name) : null;
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

async function records(folder: string): Promise<ClientRecord[] | string> {
  const json = await readLooseJson(join(folder, REQUESTS));
  return json.ok ? readRequests(json.value) : json.reason;
}

export async function parseGenaiPerf(request: ParseRequest): Promise<Parsed> {
  const { dir, exitCode } = request;
  await closeWork(dir).catch(() => undefined);
  const stdout = await textOf(request.stdoutFile);
  const stderr = await textOf(request.stderrFile);
  const cause = causeOf(stdout, stderr);
  if (exitCode !== 0 && exitCode !== null) {
    return {
      state: 'failed',
      reason: cause ?? `GenAI-Perf ended with exit code ${exitCode} and said nothing`,
    };
  }
  const folder = await artifactFolder(dir);
  const json = await readLooseJson(join(folder ?? join(dir, ARTIFACTS), EXPORT));
  if (!json.ok) {
    const how = exitCode === null ? 'GenAI-Perf was ended by a signal' : 'GenAI-Perf ended with exit code 0';
    return { state: 'unparsable', reason: `${how} and its export cannot be read (${json.reason})` };
  }
  const figures = readExport(json.value);
  if (typeof figures === 'string') return { state: 'unparsable', reason: `GenAI-Perf's export: ${figures}` };
  const each = await records(folder!);
  const notes = warningsIn(stdout);
  if (typeof each === 'string') notes.push(`no records a request: ${REQUESTS}: ${each}`);
  return {
    state: 'parsed',
    report: {
      ...figures,
      durationS: null,
      // A run with a failed request has no export at all.
      failed: 0,
      dropped: null,
      records: typeof each === 'string' ? null : each,
      notes,
    },
  };
}
