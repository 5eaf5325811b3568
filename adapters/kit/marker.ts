/**
 * The marker of a finished installation. A virtual environment cannot be built elsewhere and renamed (its scripts hold
 * absolute paths), so what tells a finished one from a broken-off one is this file, written last.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'tare-setup.json';

const schema = z.object({
  client: z.string(),
  /** The client's own version, as its package says. */
  version: z.string(),
  python: z.string(),
  /** SHA-256 of the pinned requirements that it was made from. */
  pins: z.string(),
  finished_at: z.string(),
});
export type Marker = z.infer<typeof schema>;

/** A fingerprint of pinned requirements: another list means that the installation is to be made anew. */
export const fingerprint = (requirements: string): string =>
  createHash('sha256').update(requirements).digest('hex');

/** The marker in a client's folder; null where there is none or it cannot be read. */
export async function readMarker(folder: string): Promise<Marker | null> {
  try {
    return schema.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** Writes the marker in one step, so that it is whole or absent. */
export async function writeMarker(folder: string, marker: Marker): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(marker, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
