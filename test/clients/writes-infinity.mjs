// A rate of infinity, as vLLM bench writes it: not JSON.
import { run, writeResult } from './protocol.mjs';

const report = await run();
writeResult(JSON.stringify({ ...report, request_rate: '@' }).replace('"@"', 'Infinity'));
