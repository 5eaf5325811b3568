/** The one place where an error becomes a message and an exit code. */
import { type Command, CommanderError } from 'commander';
import { EXIT, Interrupted, UserError } from '../system/user-error.ts';

/** A command and all below it throw instead of ending the process. */
function throwing(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwing);
}

/** Runs the program with the process's arguments; sets the exit code. */
export async function runProgram(program: Command, argv: readonly string[] = process.argv): Promise<void> {
  throwing(program);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    } else if (error instanceof UserError) {
      process.stderr.write(`tare: ${error.message}\n`);
      process.exitCode = error.code;
    } else if (error instanceof Interrupted) {
      process.exitCode = EXIT.crash;
    } else {
      process.stderr.write(`tare: this is a fault of Tare's: ${(error as Error)?.stack ?? String(error)}\n`);
      process.exitCode = EXIT.crash;
    }
  }
}
