// Prints bytes that are no UTF-8, a NUL among them.
import { run, writeResult } from './protocol.mjs';

process.stdout.write(Buffer.from([0x66, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]));
writeResult(await run());
