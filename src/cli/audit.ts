import type { Command } from 'commander';

/** Registers `tare audit`. */
export function registerAudit(program: Command): void {
  program.command('audit').description('not built yet');
}
