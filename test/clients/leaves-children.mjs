// Ends well, and leaves two children that go on; they hold its output open.
import { spawn } from 'node:child_process';
import { run, writeResult } from './protocol.mjs';

for (let i = 0; i < 2; i++) spawn('sleep', ['600'], { stdio: 'inherit' }).unref();
writeResult(await run());
process.exit(0);
