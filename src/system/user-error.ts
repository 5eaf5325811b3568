/** Exit codes, and errors that the user can mend. Lower layers throw them; only src/cli prints them. */

/** 0 fine or claim supported, 1 crash, 2 usage, 3 out of tolerance, 4 undetermined, 5 the harness was not valid here. */
export const EXIT = {
  fine: 0,
  crash: 1,
  usage: 2,
  outOfTolerance: 3,
  undetermined: 4,
  harnessInvalid: 5,
} as const;

/**
 * Something the user can mend: printed as one or two lines (what happened, what it means, what to do), without a stack.
 * `code` is the exit code, usage unless said otherwise.
 */
export class UserError extends Error {
  readonly code: number;
  constructor(message: string, code: number = EXIT.usage) {
    super(message);
    this.name = 'UserError';
    this.code = code;
  }
}

/** The user ended it (Ctrl-C), and was told so: nothing more is to be printed. */
export class Interrupted extends Error {
  constructor() {
    super('it was ended by a signal');
    this.name = 'Interrupted';
  }
}
