// Sends what it should and then never ends.
import { forever, run, writeResult } from './protocol.mjs';

forever();
writeResult(await run());
