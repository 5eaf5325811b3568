// Ends with 0 and without a result.
import { run } from './protocol.mjs';

await run();
