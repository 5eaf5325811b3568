// Writes to stdout and stderr as fast as they take it, without end.
import { writeSync } from 'node:fs';

const block = Buffer.alloc(1 << 20, 'x'.repeat(79).concat('\n'));
function write(fd) {
  try {
    writeSync(fd, block);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
}
for (;;) {
  write(1);
  write(2);
}
