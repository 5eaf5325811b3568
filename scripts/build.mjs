// Builds the project into dist/ (same layout as the sources) and copies what is not TypeScript:
// the clients' scripts and templates, and package.json, so that built code finds them beside itself.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  {
    stdio: 'inherit',
    cwd: root,
  },
);
for (const folder of ['adapters', 'simulators', 'reports']) {
  cpSync(join(root, folder), join(root, 'dist', folder), {
    recursive: true,
    filter: (path) => extname(path) !== '.ts' && !path.includes('__pycache__'),
  });
}
cpSync(join(root, 'package.json'), join(root, 'dist/package.json'));

/** What git says of this checkout; null without one, or without git. */
function git(...words) {
  try {
    return execFileSync('git', ['-C', root, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

// Only of this very checkout: a package that was unpacked below another one's repository is not made of its commit.
const head = existsSync(join(root, '.git')) ? (git('rev-parse', 'HEAD')?.trim() ?? null) : null;
const changed = head !== null && git('status', '--porcelain', '--untracked-files=no')?.trim() !== '';
writeFileSync(
  join(root, 'dist/build.json'),
  `${JSON.stringify({ commit: head === null ? null : head + (changed ? '+changes' : '') })}\n`,
);
