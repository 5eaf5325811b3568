/** `tare claim`: audits a published claim, and writes a file to fill in. */
import type { Command } from 'commander';
import type { ClaimNewFlags } from './claim-new.ts';
import type { ClaimFlags } from './claim-run.ts';
import { collect, rateList } from './options.ts';

/** Registers `tare claim check` and `tare claim new`. */
export function registerClaim(program: Command): void {
  const claim = program
    .command('claim')
    .description('audits a published claim: who claims what, and can it be so?')
    .exitOverride();
  claim
    .command('check')
    .exitOverride()
    .description('the arithmetic of a claim, what it leaves out, and a verdict a figure')
    .argument('<file...>', 'claims, as YAML ("tare claim new" prints one to fill in)')
    .option(
      '--audit <folder>',
      'results folder of an audit of this machine (repeatable; default: those beneath results/ that were made here)',
      collect,
    )
    .option(
      '--out <dir>',
      'write claim.json, claim.md and claim.html there; of several claims each in a folder of its own',
    )
    .option('--full', 'every figure with its reasons, every check with its working', false)
    .option('--plain', 'the text in ASCII, without colours', false)
    .option('--json', 'print one JSON document on stdout; of several claims a list', false)
    .action(async (files: string[], flags: ClaimFlags) => {
      const { runClaimCheck } = await import('./claim-run.ts');
      await runClaimCheck(files, flags);
    });
  claim
    .command('new')
    .exitOverride()
    .description('prints a commented claim to fill in, or writes it into a file that does not exist yet')
    .argument('[file]', 'where to write it; default: stdout')
    .option('--from <folder>', 'results folder of an audit: its own figures as a claim, stated in full')
    .option('--client <name>', 'which client of the audit')
    .option('--rate <list>', 'only these rates of the audit, as in 100,200', rateList)
    .option(
      '--percentiles',
      'percentiles, too: no other figure of a claim confirms one, so they stay undetermined',
      false,
    )
    .option('--claimant <name>', 'who publishes it')
    .action(async (file: string | undefined, flags: ClaimNewFlags) => {
      const { runClaimNew } = await import('./claim-new.ts');
      await runClaimNew(file, flags);
    });
}
