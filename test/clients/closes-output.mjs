// Closes its output and goes on.
import { closeSync } from 'node:fs';
import { forever } from './protocol.mjs';

closeSync(1);
closeSync(2);
forever();
