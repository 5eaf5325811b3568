/** Tare's version, from its package.json. */
import { readFileSync } from 'node:fs';
import { asset } from './package-root.ts';

export const version: string = (
  JSON.parse(readFileSync(asset('package.json'), 'utf8')) as { version: string }
).version;
