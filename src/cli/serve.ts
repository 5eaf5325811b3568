import type { Command } from 'commander';

/** Registers `tare serve`. */
export function registerServe(program: Command): void {
  program.command('serve').description('not built yet');
}
