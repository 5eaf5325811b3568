/** Where a gate's verdict goes: stdout, a folder, JUnit XML, and GitHub's annotations and summary. */
import { access, appendFile, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { annotations, stepSummary } from '../../reports/gate/github.ts';
import { junitXml } from '../../reports/gate/junit.ts';
import { gateSummary } from '../../reports/gate/summary.ts';
import type { GateDocument } from '../audit/gate/document.ts';
import { explainFileError } from '../system/disk.ts';
import { makeFolder } from '../system/make-folder.ts';
import { UserError } from '../system/user-error.ts';
import { writeWhole } from '../system/write-whole.ts';
import type { GateFlags } from './gate-flags.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Environment of a step of GitHub Actions, as far as it is used. */
export type StepEnvironment = Readonly<Record<string, string | undefined>>;

const refused = (error: unknown, path: string, flag: string): UserError =>
  new UserError(`${explainFileError(error, path)}. Choose another file with ${flag}.`);

async function write(path: string, text: string, flag: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await writeWhole(path, text);
  } catch (error) {
    throw refused(error, path, flag);
  }
}

/** Before anything runs: that the JUnit file can be written, so that no verdict is lost for it. Makes its folder. @throws UserError */
export async function requireWritable({ junit }: Pick<GateFlags, 'junit'>): Promise<void> {
  if (junit === undefined) return;
  const path = resolve(junit);
  try {
    await makeFolder(dirname(path));
    await access(dirname(path), constants.W_OK);
    const there = await stat(path).catch(() => null);
    if (there?.isDirectory() === true) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
  } catch (error) {
    throw refused(error, path, '--junit');
  }
}

/** GITHUB_STEP_SUMMARY is appended to. One that cannot be written is said, and changes no verdict. */
async function summarize(document: GateDocument, env: StepEnvironment): Promise<void> {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, stepSummary(document));
  } catch (error) {
    say(`GITHUB_STEP_SUMMARY: ${explainFileError(error, file)}; the table is not in the step's summary`);
  }
}

/** Writes all that was asked for, and sets the exit code. @throws UserError where a file cannot be written. */
export async function gateOutputs(
  document: GateDocument,
  flags: Pick<GateFlags, 'junit' | 'json' | 'out'>,
  env: StepEnvironment = process.env,
): Promise<void> {
  process.exitCode = document.exit_code;
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  // First what cannot be lost: a file that cannot be written after all takes no verdict with it. The runner reads commands on stderr, too.
  if (env.GITHUB_ACTIONS === 'true') for (const line of annotations(document)) say(line);
  say(gateSummary(document));
  await summarize(document, env);
  if (flags.out !== undefined)
    await write(join(resolve(flags.out), 'gate.json'), `${JSON.stringify(document, null, 2)}\n`, '--out');
  if (flags.junit !== undefined) await write(resolve(flags.junit), junitXml(document), '--junit');
}
