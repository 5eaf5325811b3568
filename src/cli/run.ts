/** Exit codes, and the one place where an error becomes a message and a code. Only src/cli prints. */
import { type Command, CommanderError } from 'commander';

export const EXIT = {
  fine: 0,
  crash: 1,
  usage: 2,
  outOfTolerance: 3,
  undetermined: 4,
  harnessInvalid: 5,
} as const;

/**
 * Something the user can mend: printed as one or two lines, without a stack. `code` is the exit code (usage unless said otherwise).
 */
export class UserError extends Error {
  readonly code: number;
  constructor(message: string, code: number = EXIT.usage) {
    super(message);
    this.name = 'UserError';
    this.code = code;
  }
}

/** Runs the program with the process's arguments; sets the exit code. */
export async function runProgram(program: Command, argv: readonly string[] = process.argv): Promise<void> {
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    } else if (error instanceof UserError) {
      process.stderr.write(`tare: ${error.message}\n`);
      process.exitCode = error.code;
    } else {
      process.stderr.write(`tare: this is a fault of Tare's: ${(error as Error)?.stack ?? String(error)}\n`);
      process.exitCode = EXIT.crash;
    }
  }
}
