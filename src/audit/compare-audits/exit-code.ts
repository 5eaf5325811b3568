/** What a comparison means for a script. Pure. */
import { EXIT } from '../../system/user-error.ts';
import type { ClientComparison, Comparison, FigureComparison, RateComparison } from './document.ts';

/** The figures that decide. */
export const primaryOf = ({ rates }: ClientComparison): readonly FigureComparison[] =>
  rates.flatMap(({ figures }) => figures.filter(({ family }) => family === 'primary'));

const outcomeStates = ({ outcomes }: RateComparison): readonly string[] =>
  outcomes === null ? [] : [outcomes.state, outcomes.saturation];

const isWorse = (client: ClientComparison): boolean =>
  primaryOf(client).some(({ state }) => state === 'worse') ||
  client.rates.some((rate) => outcomeStates(rate).includes('worse'));

/** Something of it was decided: a figure changed, or surely did not, or trials fail that did not, or the other way round. */
export const isTold = (client: ClientComparison): boolean =>
  primaryOf(client).some(({ state }) => state !== 'undetermined' && state !== 'refused') ||
  client.rates.some((rate) => outcomeStates(rate).some((state) => state === 'worse' || state === 'better'));

/** A client or a rate that A has is not in B, or B failed much more often, if too seldom to be sure: not to be passed over. */
const isDoubtful = ({ clients, not_compared }: Pick<Comparison, 'clients' | 'not_compared'>): boolean =>
  not_compared.some(({ gone }) => gone) ||
  clients.some(({ rates }) => rates.some(({ gone, outcomes }) => gone || outcomes?.heavy === true));

/**
 * 3: a client is worse beyond the floor, in a figure that decides or in how its trials end. 4: none is seen to be, but of one nothing that decides
 * can be told, or a client or rate of A is gone from B, or B failed in half more of its trials, or nothing was compared. 0: otherwise.
 */
export function compareExitCode(comparison: Pick<Comparison, 'clients' | 'not_compared'>): number {
  const { clients } = comparison;
  if (clients.some(isWorse)) return EXIT.outOfTolerance;
  return clients.length > 0 && clients.every(isTold) && !isDoubtful(comparison)
    ? EXIT.fine
    : EXIT.undetermined;
}
