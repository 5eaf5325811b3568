/** `tare check`: do the definitions that are stated for a client explain what it prints? */
import type { Command } from 'commander';
import type { CheckFlags } from './check-run.ts';
import { collect } from './options.ts';

/** Registers `tare check`. */
export function registerCheck(program: Command): void {
  program
    .command('check')
    .description("holds each client's stated definitions against what it prints, at 5 requests/s")
    .option(
      '--client <name>',
      'a client, or a client file (repeatable; default: every one installed)',
      collect,
    )
    .option('--out <dir>', 'keep ledgers and the clients’ own output in this folder')
    .option('--json', 'print one JSON document on stdout', false)
    .action(async (flags: CheckFlags) => {
      const { runCheckCommand } = await import('./check-run.ts');
      await runCheckCommand(flags);
    });
}
