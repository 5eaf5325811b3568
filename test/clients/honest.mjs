// Does what it should.
import { run, writeResult } from './protocol.mjs';

writeResult(await run());
