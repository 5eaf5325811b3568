/**
 * The folder that GenAI-Perf works in. Usually that is the trial's own; behind a prefix that sees another file tree it is a
 * scratch folder inside that tree, whose contents are brought into the trial's folder afterwards.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../src/system/user-error.ts';
import { type Place, pathThere, VARIABLES } from './prefix.ts';

export interface WorkFolder {
  /** As seen from here. */
  readonly here: string;
  /** As GenAI-Perf sees it. */
  readonly there: string;
}

const SCRATCH = /^tare-genai-perf-(\d+)-/;
const POINTER = 'scratch.json';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Scratch folders of harnesses that ended before they could bring the contents home. */
async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(SCRATCH.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * The trial's folder if the other side sees it, else a new one in its /tmp.
 * @throws UserError if that cannot be written.
 */
export async function openWork(place: Pick<Place, 'root'>, dir: string): Promise<WorkFolder> {
  const there = pathThere(place, dir);
  if (there !== null) return { here: dir, there };
  const tmp = join(place.root!, 'tmp');
  try {
    await mkdir(tmp, { recursive: true });
    await removeStale(tmp);
    const here = await mkdtemp(join(tmp, `tare-genai-perf-${process.pid}-`));
    await writeFile(join(dir, POINTER), `${JSON.stringify({ here })}\n`);
    return { here, there: pathThere(place, here)! };
  } catch (error) {
    throw new UserError(
      `cannot make a folder in ${tmp}, where GenAI-Perf is to work (${VARIABLES.root}): ${(error as Error).message}`,
    );
  }
}

/** Brings a scratch folder's contents into the trial's folder and removes it. Without one there is nothing to do. */
export async function closeWork(dir: string): Promise<void> {
  const pointer = join(dir, POINTER);
  const text = await readFile(pointer, 'utf8').catch(() => null);
  if (text === null) return;
  const here: unknown = JSON.parse(text).here;
  if (typeof here !== 'string') return;
  await cp(here, dir, { recursive: true, force: true });
  await rm(here, { recursive: true, force: true });
  await rm(pointer);
}
