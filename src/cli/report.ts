import type { Command } from 'commander';

/** Registers `tare report`. */
export function registerReport(program: Command): void {
  program.command('report').description('not built yet');
}
