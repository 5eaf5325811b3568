// Python's json.dump writes bare NaN; so does this.
import { run, writeResult } from './protocol.mjs';

const report = await run();
writeResult(JSON.stringify({ ...report, ttft_ms: ['@'] }).replace('"@"', 'NaN'));
