// `npm test`: installs, builds and runs the tests. Arguments after `--` go to vitest.
import { join } from 'node:path';
import { ensureDeps, root, run } from './ensure-deps.mjs';

try {
  ensureDeps();
  run(process.execPath, [join(root, 'scripts/build.mjs')]);
  run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)]);
} catch (error) {
  process.exit(error.status ?? 1);
}
