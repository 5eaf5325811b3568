/** How large a claim's file may be: beyond any claim that people write, and small enough to be checked at once. */
export const LIMITS = {
  bytes: 256 * 1024,
  rows: 500,
  figures: 5000,
  aliases: 100,
  /** Brackets within brackets; a claim has at most five. */
  depth: 20,
  /** Faults that are told of one file. */
  faults: 50,
  /** Characters of one text. */
  text: 4000,
} as const;
