/** Flags of `tare load` about traces. */
import { readFileSync } from 'node:fs';
import { parseTrace } from '../measure/schedule.ts';
import { UserError } from '../system/user-error.ts';

export function readTrace(file: string): number[] {
  try {
    return parseTrace(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`the trace ${file} could not be used: ${(error as Error).message}`);
  }
}
