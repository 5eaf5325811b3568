// Writes its result when asked to end, as k6 does.
import { forever, run, writeResult } from './protocol.mjs';

forever();
process.on('SIGTERM', async () => {
  writeResult(await run(1));
  process.exit(143);
});
process.stdout.write('ready\n');
