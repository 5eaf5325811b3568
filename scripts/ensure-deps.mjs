// Installs the locked dependencies where they are missing or older than the lock file. Shared by `npm start` and `npm test`,
// so that each of them works in a fresh clone.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Runs a program in the checkout with the caller's terminal; throws if it fails. */
export const run = (program, args) => execFileSync(program, args, { cwd: root, stdio: 'inherit' });

export function ensureDeps() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`tare: Node ${process.versions.node} is too old; it needs 20.19 or newer.`);
    process.exit(2);
  }
  const stamp = join(root, 'node_modules/.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
}
