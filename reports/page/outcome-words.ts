/** How a trial ended, in words. */
import type { Outcome } from '../../src/audit/document.ts';

export const OUTCOME: Readonly<Record<Outcome['kind'], string>> = {
  measured: 'measured',
  saturated: 'saturated',
  clientFailed: 'client failed',
  timedOut: 'timed out',
  incomplete: 'incomplete',
  unparsable: 'unparsable',
  clientMissing: 'client missing',
};
