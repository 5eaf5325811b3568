/** `tare gate --load`: stored reports of `tare load` held to goals. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { EXIT_OF } from '../audit/gate/build.ts';
import { GATE_SCHEMA, type GateDocument } from '../audit/gate/document.ts';
import { asReport, judgeLoad, loadVerdict, type NamedReport } from '../audit/gate/load.ts';
import { DEFAULT_SUCCESS, formatRunGoals } from '../audit/gate/slo.ts';
import { explainFileError } from '../system/disk.ts';
import { UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import type { GateFlags } from './gate-flags.ts';
import { gateOutputs, requireWritable } from './gate-outputs.ts';
import { refuseSameFile } from './load-paths.ts';

const RATE_TOLERANCE = 0.02;

async function read(file: string, name: string): Promise<NamedReport> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UserError(
      error instanceof SyntaxError
        ? `--load ${file} is no JSON (${error.message}): give what tare load --out FILE.json wrote.`
        : `--load: ${explainFileError(error, file, 'read')}.`,
    );
  }
  return { file: name, report: asReport(file, value) };
}

/** Base names, where they tell the files apart; else the paths as they were given. */
function namesOf(files: readonly string[]): readonly string[] {
  const short = files.map((file) => basename(file));
  return new Set(short).size === files.length ? short : files;
}

/** Runs the command. */
export async function runGateLoadCommand(flags: GateFlags): Promise<void> {
  const files = flags.load!;
  if ((flags.tolerance?.bias.length ?? 0) > 0)
    throw new UserError(
      'a load run has no truth to be biased against: --tolerance takes rate=2% alone here, and latency goals go into --slo.',
    );
  refuseSameFile(
    [['--junit', flags.junit]],
    files.map((file) => ['--load', file]),
  );
  await requireWritable(flags);
  const names = namesOf(files);
  const reports = await Promise.all(files.map((file, i) => read(file, names[i]!)));
  const goals = flags.slo ?? { success: DEFAULT_SUCCESS, slos: [] };
  const checks = judgeLoad(reports, goals, flags.tolerance?.rate ?? RATE_TOLERANCE);
  if (flags.dryRun) {
    process.stderr.write(`tare gate would judge ${files.join(', ')} by ${formatRunGoals(goals)}\n`);
    return;
  }
  const { verdict, reason } = loadVerdict(checks);
  const now = new Date().toISOString();
  const document: GateDocument = {
    schema: GATE_SCHEMA,
    tare_version: version,
    of: 'load',
    started_at: reports[0]!.report.started_at,
    finished_at: now,
    elapsed_s: reports.reduce((sum, { report }) => sum + (report.elapsed_s ?? 0), 0),
    state: 'finished',
    verdict,
    exit_code: EXIT_OF[verdict],
    reason,
    checks,
    warnings: [],
    tolerance: formatRunGoals(goals),
    tolerances: null,
    allow: null,
    budget_s: null,
    error_rate: null,
    baseline: null,
    against: null,
    host: null,
    plan: null,
    floor: null,
    clients: [],
    counted: [],
    trials: [],
  };
  await gateOutputs(document, flags);
}
