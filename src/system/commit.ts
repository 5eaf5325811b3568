/** The git commit that this build was made of, as scripts/build.mjs left it beside package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { asset } from './package-root.ts';

const FILE = 'build.json';

/** `2572c5c…` (40 hex digits), `2572c5c…+changes` where tracked files differed from it; null where the build did not know it, or for sources that are not built. */
export function readCommit(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const { commit } = JSON.parse(readFileSync(path, 'utf8')) as { commit?: unknown };
    return typeof commit === 'string' ? commit : null;
  } catch {
    return null;
  }
}

export const commit: string | null = readCommit(asset(FILE));
