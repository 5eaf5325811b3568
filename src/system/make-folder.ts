/** Making folders. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder and those above it. (mkdir's own `recursive` never comes back from a folder like /proc, which says ENOENT.) */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path);
}
