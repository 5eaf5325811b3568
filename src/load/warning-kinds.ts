/** Warnings that say what a figure means, and leave the client's measurement trusted. */
import { COUNTS_DIFFER } from './count-warning.ts';

export const isNote = (code: string): boolean => code === COUNTS_DIFFER;
