/**
 * A Python program that the user has on PATH: its version without running it. Importing such a package can take many seconds, so the
 * interpreter that owns its script is asked for the package's metadata instead.
 */
import { existsSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { which } from './which.ts';

export interface OwnProgram {
  readonly command: string;
  readonly version: string;
  /** The interpreter that has its package. */
  readonly python: string;
  /** Where `file` of the package would be, if one was asked for. */
  readonly file: string | null;
}

const QUESTION =
  'import importlib.metadata as m, json, sys; d = m.distribution(sys.argv[1]); ' +
  'print(json.dumps([d.version, str(d.locate_file(sys.argv[2]))]))';

/** The interpreters that may own a console script: its shebang's, then the one beside it. */
async function interpretersOf(script: string): Promise<string[]> {
  const file = await open(script, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0).finally(() => file.close());
  const line = buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '';
  const shebang = line.startsWith('#!') ? line.slice(2).trim().split(/\s+/) : [];
  const named = shebang[0]?.endsWith('/env') ? shebang[1] : shebang[0];
  const beside = join(dirname(await realpath(script)), 'python');
  return [...(named && /python[\d.]*$/.test(named) ? [named] : []), ...(existsSync(beside) ? [beside] : [])];
}

/** The program of that name (and package of that name): its facts, why they cannot be told, or null where there is none. */
export async function findOwn(name: string, path?: string, file = ''): Promise<OwnProgram | string | null> {
  const command = await which(name, path);
  if (command === null) return null;
  for (const python of await interpretersOf(command).catch(() => [])) {
    const asked = await execa(python, ['-I', '-c', QUESTION, name, file], { reject: false, timeout: 20_000 });
    if (asked.failed) continue;
    try {
      const [version, located] = JSON.parse(asked.stdout) as [string, string];
      return { command, version, python, file: file === '' ? null : located };
    } catch {
      // not an answer to this question
    }
  }
  return `${command} is on PATH, but no Python of its own tells its version`;
}
