/** What a comparison means for a script. Pure. */
import { EXIT } from '../../system/user-error.ts';
import type { ClientComparison, Comparison } from './document.ts';

const isWorse = ({ rates }: ClientComparison): boolean =>
  rates.some(
    ({ figures, outcomes }) => outcomes?.state === 'worse' || figures.some(({ state }) => state === 'worse'),
  );

/** Something of it was decided: a figure changed, or surely did not. */
const isTold = ({ rates }: ClientComparison): boolean =>
  rates.some(({ figures }) => figures.some(({ state }) => state !== 'undetermined' && state !== 'refused'));

/** 3: a client is worse beyond the floor. 4: none is seen to be, but of one nothing at all can be told, or nothing was compared. 0: otherwise. */
export function compareExitCode({ clients }: Pick<Comparison, 'clients'>): number {
  if (clients.some(isWorse)) return EXIT.outOfTolerance;
  return clients.length > 0 && clients.every(isTold) ? EXIT.fine : EXIT.undetermined;
}
