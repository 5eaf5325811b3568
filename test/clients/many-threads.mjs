// Has 200 threads besides its own; start it with UV_THREADPOOL_SIZE=200 in the environment. Says "ready" once all have run.
import { pbkdf2 } from 'node:crypto';
import { forever } from './protocol.mjs';

let left = 200;
for (let i = 0; i < 200; i++) {
  pbkdf2('a', 'b', 1000, 32, 'sha256', () => {
    left -= 1;
    if (left === 0) process.stdout.write('ready\n');
  });
}
forever();
