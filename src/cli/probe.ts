/** `tare probe`: the conformance suite for benchmark clients. */
import type { Command } from 'commander';
import { collect, seed } from './options.ts';
import type { ProbeFlags } from './probe-run.ts';

/** Registers `tare probe`. */
export function registerProbe(program: Command): void {
  program
    .command('probe')
    .description(
      'sends each client small streams with one known peculiarity each, and judges what it makes of them',
    )
    .option(
      '--client <name>',
      'a client, or a client file (repeatable; default: every one installed)',
      collect,
    )
    .option('--only <id>', 'this probe, or a group (repeatable, or with commas; see --list)', collect)
    .option('--load', 'the probes of load, too: minutes a client', false)
    .option('--list', 'show the probes and end', false)
    .option('--seed <n>', 'seed of prompts and of the order of probes', seed, 1)
    .option('--no-pin', 'let target and client share all cores')
    .option('--out <dir>', 'results folder (default: results/probe-<date>)')
    .option('--json', 'print one JSON document on stdout', false)
    .action(async (flags: ProbeFlags) => {
      const { runProbeCommand } = await import('./probe-run.ts');
      await runProbeCommand(flags);
    });
}
