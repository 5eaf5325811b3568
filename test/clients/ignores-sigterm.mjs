// Does not end when asked to, and neither does its child.
import { spawn } from 'node:child_process';
import { forever } from './protocol.mjs';

process.on('SIGTERM', () => {});
spawn('/bin/sh', ['-c', 'trap "" TERM; while :; do sleep 600; done'], { stdio: 'inherit' });
process.stdout.write('ready\n');
forever();
