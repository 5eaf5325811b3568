/** Makes a client's virtual environment from pinned requirements, with progress lines and errors that say what to do. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientFolder } from '../../src/system/cache-folder.ts';
import { runTool } from '../../src/system/tool.ts';
import { UserError } from '../../src/system/user-error.ts';
import { fingerprint, type Marker, readMarker, writeMarker } from './marker.ts';
import { findPython, type Python, type PythonRange } from './python.ts';

export type Say = (line: string) => void;

export interface EnvironmentSpec {
  /** The client's name: names the folder under the cache. */
  readonly client: string;
  /** The client's version, as pinned. */
  readonly version: string;
  readonly range: PythonRange;
  /** requirements.txt with exact versions. */
  readonly requirementsFile: string;
  /** Disk space that it takes, MB; asked for beforehand. */
  readonly needsMb: number;
  /** What else is to be put into the folder once pip is done. */
  finish?(folder: string, python: string, say: Say): Promise<void>;
}

/** What an installation was made from: another version or requirement means that it is to be made anew. */
const pinsOf = async (spec: EnvironmentSpec): Promise<string> =>
  fingerprint(`${spec.client}==${spec.version}\n${await readFile(spec.requirementsFile, 'utf8')}`);

/** The interpreter of an environment. */
export const venvPython = (folder: string): string => join(folder, 'venv', 'bin', 'python');

/** A finished environment's marker, if it was made from the present pins and its interpreter is still there. */
export async function findEnvironment(
  spec: EnvironmentSpec,
): Promise<{ folder: string; marker: Marker } | string> {
  const folder = clientFolder(spec.client);
  const marker = await readMarker(folder);
  if (marker === null) {
    return existsSync(folder) ? `an unfinished set-up is in ${folder}` : 'it is not installed';
  }
  if (marker.pins !== (await pinsOf(spec))) {
    return `the set-up in ${folder} was made for other versions (${spec.client} ${marker.version})`;
  }
  if (!existsSync(venvPython(folder))) return `the Python that ${folder} was made with is gone`;
  return { folder, marker };
}

/** The last lines of a failed program's output, for an error message. */
const lastLines = (text: string, count = 6): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(\[notice\]|Looking in |Ignoring )/.test(line))
    .slice(-count)
    .join('\n  ');

/**
 * Runs pip in an environment; its main steps go to `say`.
 * @throws UserError with pip's last lines.
 */
export async function pip(python: string, args: readonly string[], say: Say): Promise<void> {
  const result = await runTool(python, ['-m', 'pip', '--disable-pip-version-check', '--no-input', ...args], {
    timeoutMs: 1_800_000,
    env: { PYTHONUNBUFFERED: '1', PIP_PROGRESS_BAR: 'off' },
    onLine(line) {
      const text = line.trim();
      if (/^(Downloading|Using cached|Installing collected|Building wheel|Saved) /.test(text))
        say(text.slice(0, 110));
    },
  });
  if (!result.failed) return;
  const why = result.timedOut ? 'it took more than 30 minutes' : `exit code ${result.exitCode ?? 'none'}`;
  throw new UserError(
    `pip could not install (${why}); its last words:\n  ${lastLines(result.output)}\n` +
      'See to the network or the package index (pip.conf, PIP_INDEX_URL, HTTPS_PROXY) and run the same command again.',
    1,
  );
}

async function checkSpace(folder: string, needsMb: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb < needsMb) {
    throw new UserError(
      `${folder} has ${freeMb} MB free and this needs about ${needsMb} MB; free some or set $TARE_CACHE to another disk`,
    );
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new UserError(
      `cannot make ${folder}: ${(error as Error).message}; set $TARE_CACHE to a folder that you may write`,
    );
  }
}

/**
 * Makes the environment anew: what was there before is removed first, the marker is written last.
 * @throws UserError when Python, disk space, permission or pip fails; Interrupted.
 */
export async function makeEnvironment(spec: EnvironmentSpec, say: Say): Promise<void> {
  const folder = clientFolder(spec.client);
  const pins = await pinsOf(spec);
  const base: Python = await findPython(spec.range);
  await makeFolder(folder);
  await claim(folder);
  try {
    await checkSpace(folder, spec.needsMb);
    say(`Python ${base.version} at ${base.executable}; environment in ${folder}`);
    await rm(join(folder, 'tare-setup.json'), { force: true });
    await rm(join(folder, 'venv'), { recursive: true, force: true });
    const made = await runTool(base.executable, ['-m', 'venv', join(folder, 'venv')], {
      timeoutMs: 300_000,
    });
    if (made.failed) {
      throw new UserError(
        `${base.executable} -m venv failed:\n  ${lastLines(made.output)}\n` +
          'Install the venv module (Debian: apt install python3-venv) or name another Python in $TARE_PYTHON.',
        1,
      );
    }
    const python = venvPython(folder);
    await pip(python, ['install', '-r', spec.requirementsFile], say);
    await spec.finish?.(folder, python, say);
    await writeMarker(folder, {
      client: spec.client,
      version: spec.version,
      python: base.version,
      pins,
      finished_at: new Date().toISOString(),
    });
  } finally {
    await rm(join(folder, 'setup.pid'), { force: true });
  }
}

/** Two set-ups of one client at a time would destroy each other's work. */
async function claim(folder: string): Promise<void> {
  const file = join(folder, 'setup.pid');
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (holder > 0 && holder !== process.pid && isAlive(holder)) {
    throw new UserError(`another tare setup (process ${holder}) is at work in ${folder}; wait for it`);
  }
  await writeFile(file, String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
