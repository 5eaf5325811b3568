/** `tare selftest`: the auditor's own error on this machine. */
import type { Command } from 'commander';
import { collect, positiveInteger, seed } from './options.ts';
import type { SelftestFlags } from './selftest-run.ts';

/** Registers `tare selftest`. */
export function registerSelftest(program: Command): void {
  program
    .command('selftest')
    .description(
      'what this machine can tell from zero now, and whether known faults of known size are found on it',
    )
    .option('--only <name>', 'only these controls (repeatable)', collect)
    .option('--repeat <n>', 'how often to try each control', positiveInteger, 1)
    .option('--seed <n>', 'of workloads and order', seed, 1)
    .option('--wire', 'hold the ledger against a capture of the floor’s runs (tcpdump)', false)
    .option('--out <dir>', 'keep the result (selftest.json), ledgers and records in this folder')
    .option('--json', 'print one JSON document on stdout', false)
    .action(async (flags: SelftestFlags) => {
      const { runSelftestCommand } = await import('./selftest-run.ts');
      await runSelftestCommand(flags);
    });
}
