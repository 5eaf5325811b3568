/** Finding programs on PATH without a shell. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Every executable file called `name` in the folders of PATH, in their order. */
export async function whichAll(name: string, path: string = process.env.PATH ?? ''): Promise<string[]> {
  const found: string[] = [];
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue;
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) found.push(file);
    } catch {
      // not here
    }
  }
  return found;
}

/** The first of them, or null. */
export const which = async (name: string, path?: string): Promise<string | null> =>
  (await whichAll(name, path))[0] ?? null;
