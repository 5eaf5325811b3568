/** The arithmetic that a claim is put through, in the order of reports. */
import type { ArithmeticCheck } from '../arithmetic-check.ts';
import { littlesLaw } from './littles-law.ts';
import { occupancy } from './occupancy.ts';
import { orderOfStatistics } from './order-of-statistics.ts';
import { ratios } from './ratios.ts';

export const ARITHMETIC_CHECKS: readonly ArithmeticCheck[] = [
  littlesLaw,
  occupancy,
  orderOfStatistics,
  ratios,
];
