/** Warnings that say what a figure means, and leave the client's measurement trusted. */
import { COUNTS_DIFFER } from './count-warning.ts';
import { CLOSED_LOOP } from './report-closed.ts';

const NOTES: readonly string[] = [COUNTS_DIFFER, CLOSED_LOOP];

export const isNote = (code: string): boolean => NOTES.includes(code);
