// Writes 64 MB, and then ends well: it only gets there if all of it is taken.
import { run, writeResult } from './protocol.mjs';

const block = Buffer.alloc(1 << 20, 'y');
for (let i = 0; i < 64; i++) await new Promise((resolve) => process.stdout.write(block, resolve));
writeResult(await run());
