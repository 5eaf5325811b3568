/** The arithmetic that a claim is put through, in the order of reports. */
import type { ArithmeticCheck } from '../arithmetic-check.ts';
import { counts } from './counts.ts';
import { identities } from './identities.ts';
import { littlesLaw } from './littles-law.ts';
import { occupancy } from './occupancy.ts';
import { offeredNotCompleted } from './offered-not-completed.ts';
import { orderOfStatistics } from './order-of-statistics.ts';
import { overload } from './overload.ts';
import { ratios } from './ratios.ts';
import { restatedFigures } from './restated-figures.ts';
import { warmAgainstCold } from './warm-against-cold.ts';
import { window } from './window.ts';

export const ARITHMETIC_CHECKS: readonly ArithmeticCheck[] = [
  littlesLaw,
  occupancy,
  offeredNotCompleted,
  orderOfStatistics,
  identities,
  window,
  overload,
  warmAgainstCold,
  restatedFigures,
  ratios,
  counts,
];
