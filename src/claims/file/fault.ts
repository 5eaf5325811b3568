/** A fault of a claim's file, before and after it has its place. */

export type Path = readonly (string | number)[];

export interface Fault {
  readonly path: Path;
  readonly message: string;
  /** It is the key that is wrong, not its value. */
  readonly atKey?: true;
}

export interface PlacedFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `rows[3].figures.ttft` */
export const spellPath = (path: Path): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${step}`)).join('');

/** Faults in the order of the file. */
export const inOrder = (faults: readonly PlacedFault[]): PlacedFault[] =>
  faults.toSorted((a, b) => a.line - b.line || a.column - b.column);
