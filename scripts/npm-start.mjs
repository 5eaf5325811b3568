// `npm start`: installs, builds, sets the asyncio client up where Python allows, and runs the audit.
// Arguments after `--` go to `tare audit`.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureDeps, root, run } from './ensure-deps.mjs';

ensureDeps();
run(process.execPath, [join(root, 'scripts/build.mjs')]);
const tare = join(root, 'dist/src/cli/main.js');
const setup = spawnSync(process.execPath, [tare, 'setup', 'asyncio'], {
  cwd: root,
  stdio: 'inherit',
});
if (setup.status !== 0) console.error('tare: going on without the asyncio client.');
// Not execFileSync: Ctrl-C must reach the audit, which reports what is finished, and this process must wait for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const audit = spawn(process.execPath, [tare, 'audit', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
audit.on('exit', (code, signal) => {
  process.exitCode = signal === null ? code : 1;
});
