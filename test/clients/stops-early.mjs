// Sends half of what it should and says that all is well.
import { requests, run, writeResult } from './protocol.mjs';

writeResult({ ...(await run(Math.floor(requests / 2))), failed: 0 });
