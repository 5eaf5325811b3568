import type { Command } from 'commander';

/** Registers `tare doctor`. */
export function registerDoctor(program: Command): void {
  program.command('doctor').description('not built yet');
}
