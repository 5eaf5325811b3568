/** `tare model`: which queue a client is, from an audit's bias at each rate. */
import type { Command } from 'commander';
import type { ModelFlags } from './model-run.ts';
import { collect, rateList, seed } from './options.ts';

/** Registers `tare model`. */
export function registerModel(program: Command): void {
  program
    .command('model')
    .description(
      "fits queue models to a results folder's bias by rate: service rate, utilization, what they predict",
    )
    .argument(
      '<folder>',
      'a results folder of "tare audit": Poisson arrivals, several rates below saturation',
    )
    .option('--client <name>', 'a client of the audit (repeatable; default: every one that ran)', collect)
    .option(
      '--hold-out <list>',
      'rates as asked that are left out of the fit and predicted, e.g. 200,400',
      rateList,
    )
    .option('--seed <n>', 'seed of the bootstrap', seed, 1)
    .option('--out <file>', 'write the JSON document to this file, too')
    .option('--json', 'print one JSON document on stdout', false)
    .action(async (folder: string, flags: ModelFlags) => {
      const { runModelCommand } = await import('./model-run.ts');
      await runModelCommand(folder, flags);
    });
}
