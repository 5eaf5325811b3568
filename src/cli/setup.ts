import type { Command } from 'commander';

/** Registers `tare setup`. */
export function registerSetup(program: Command): void {
  program.command('setup').description('not built yet');
}
