import { randomBytes } from 'node:crypto';

/** Eight hexadecimal digits that tell this target's payload ids from those of another. */
export const randomTag = (): string => randomBytes(4).toString('hex');
