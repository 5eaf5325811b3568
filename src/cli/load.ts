import type { Command } from 'commander';

/** Registers `tare load`. */
export function registerLoad(program: Command): void {
  program.command('load').description('not built yet');
}
