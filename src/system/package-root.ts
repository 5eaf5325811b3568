/** Where the package's files are, from the sources as well as from dist/. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder above this file that holds a package.json: the checkout, or its dist/ (which has a copy). */
function nearestPackage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

const NEAREST = nearestPackage();

/** The checkout's (installed package's) folder. */
export const packageRoot: string = NEAREST.endsWith('dist') ? dirname(NEAREST) : NEAREST;

/** A compiled entry point, for starting it as a process: `entry('src/load/worker.js')` → …/dist/src/load/worker.js. */
export const entry = (path: string): string => join(packageRoot, 'dist', path);

/** A file that ships with the sources as it is: `asset('adapters/k6/chat.js')`. */
export const asset = (path: string): string => join(NEAREST, path);
