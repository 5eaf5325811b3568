/** Warnings that say what a figure means, and leave the client's measurement trusted. */
import { COUNTS_DIFFER } from './count-warning.ts';
import { ROOM } from './room.ts';

const NOTES: readonly string[] = [COUNTS_DIFFER, ...ROOM];

export const isNote = (code: string): boolean => NOTES.includes(code);
