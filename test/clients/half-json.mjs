// Ends in the middle of its result, with 0.
import { run, writeResult } from './protocol.mjs';

const text = JSON.stringify(await run());
writeResult(text.slice(0, text.length / 2));
