// Ends well, and leaves a daemon as daemons are made: forked twice, in a session of its own, a child of nobody, all files closed.
import { execFileSync } from 'node:child_process';
import { run, writeResult } from './protocol.mjs';

execFileSync('/bin/sh', ['-c', 'setsid sh -c "sleep 600 & exit 0" </dev/null >/dev/null 2>&1'], {
  stdio: 'ignore',
});
writeResult(await run());
