/**
 * Finding a Python that can make a virtual environment. A name on PATH proves nothing: pyenv's shims answer with an error
 * where the version is not selected, and Debian's python3 comes without ensurepip. So each candidate is run and asked.
 */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { UserError } from '../../src/system/user-error.ts';
import { whichAll } from './which.ts';

export interface Python {
  /** Absolute path of the interpreter itself, not of a shim. */
  readonly executable: string;
  readonly version: string;
}

/** The versions that a client runs on, inclusive, as [major, minor]. */
export interface PythonRange {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** What a candidate answered: its identity, or why it is of no use. */
export type PythonAnswer =
  | { readonly ok: true; readonly executable: string; readonly version: string; readonly venv: boolean }
  | { readonly ok: false; readonly reason: string };

const QUESTION = [
  'import sys, json',
  'try:\n import venv, ensurepip\n ok = True',
  'except ImportError:\n ok = False',
  'v = sys.version_info',
  'print(json.dumps({"executable": sys.executable, "version": "%d.%d.%d" % v[:3], "venv": ok}))',
].join('\n');

/** Runs a candidate and asks for its version and for the modules that a virtual environment needs. */
export async function askPython(command: string): Promise<PythonAnswer> {
  const result = await execa(command, ['-I', '-c', QUESTION], { reject: false, timeout: 15_000 });
  if (result.failed) {
    const said = String(result.stderr ?? '').trim();
    return { ok: false, reason: said.split('\n')[0] || result.shortMessage || 'it cannot be run' };
  }
  try {
    return { ok: true, ...JSON.parse(result.stdout) };
  } catch {
    return { ok: false, reason: `it answered "${result.stdout.slice(0, 80)}"` };
  }
}

const minor = (version: string): [number, number] => {
  const [major, second] = version.split('.').map(Number);
  return [major ?? 0, second ?? 0];
};

const within = (version: string, range: PythonRange): boolean => {
  const [major, second] = minor(version);
  const key = major * 1000 + second;
  return key >= range.from[0] * 1000 + range.from[1] && key <= range.to[0] * 1000 + range.to[1];
};

export const describeRange = (range: PythonRange): string =>
  range.from.join('.') === range.to.join('.')
    ? range.from.join('.')
    : `${range.from.join('.')} to ${range.to.join('.')}`;

/** Candidates in order of preference: $TARE_PYTHON alone if set; else PATH, newest last named first; else pyenv's versions. */
export async function pythonCandidates(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string[]> {
  if (env.TARE_PYTHON) return [env.TARE_PYTHON];
  const names = ['python3.12', 'python3.13', 'python3.11', 'python3.10', 'python3.14', 'python3', 'python'];
  const found: string[] = [];
  for (const name of names) found.push(...(await whichAll(name, env.PATH)));
  const versions = join(env.PYENV_ROOT || join(homedir(), '.pyenv'), 'versions');
  const installed = await readdir(versions).catch(() => [] as string[]);
  for (const version of installed.sort().reverse()) found.push(join(versions, version, 'bin', 'python3'));
  return found;
}

/**
 * The first Python within the range that can make a virtual environment.
 * @throws UserError naming every candidate and what was wrong with it.
 */
export async function findPython(
  range: PythonRange,
  candidates?: readonly string[],
  ask: (command: string) => Promise<PythonAnswer> = askPython,
): Promise<Python> {
  const refused: string[] = [];
  for (const command of candidates ?? (await pythonCandidates())) {
    const answer = await ask(command);
    if (!answer.ok) refused.push(`${command}: ${answer.reason}`);
    else if (!within(answer.version, range)) refused.push(`${command}: is ${answer.version}`);
    else if (!answer.venv) {
      refused.push(`${command}: ${answer.version} without venv (Debian: apt install python3-venv)`);
    } else return { executable: answer.executable, version: answer.version };
  }
  const seen = refused.length > 0 ? `looked at ${refused.join('; ')}` : 'there is none on PATH';
  throw new UserError(
    `no Python ${describeRange(range)} that can make a virtual environment: ${seen}.\n` +
      'Install one (Debian: apt install python3 python3-venv) or name it in $TARE_PYTHON.',
  );
}
