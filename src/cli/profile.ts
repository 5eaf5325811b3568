/** `tare profile`: what a request, a token and a prompt byte cost a client on this machine, layer by layer. */
import { type Command, InvalidArgumentError } from 'commander';
import { LAYER_CHOICES, type LayerChoice } from '../audit/profile/layers.ts';
import { collect, seconds, seed, workers } from './options.ts';
import type { ProfileFlags } from './profile-run.ts';

/** `json,tls`: layers in any order. */
function layers(text: string, before: readonly LayerChoice[] = []): LayerChoice[] {
  const named = collect(text).map((name) => {
    const layer = LAYER_CHOICES.find((one) => one === name);
    if (layer === undefined)
      throw new InvalidArgumentError(`"${name}" is no layer; there are ${LAYER_CHOICES.join(', ')}.`);
    return layer;
  });
  return [...before, ...named];
}

/** Registers `tare profile`. */
export function registerProfile(program: Command): void {
  program
    .command('profile')
    .description(
      'measures the CPU time that a request, a token and a prompt byte cost a client, and up to which rate it is good here',
    )
    .option('--client <name>', 'a client, or a client file (repeatable; default: tare)', collect)
    .option(
      '--layers <names>',
      `which layers (default: all that it can): ${LAYER_CHOICES.join(', ')}`,
      layers,
    )
    .option('--budget-time <time>', 'about how long a client may take, e.g. 5m', seconds, 600)
    .option(
      '--workers <n>',
      'worker processes, for clients that have them (default: 1 for tare, else their own)',
      workers,
    )
    .option('--no-saturation', 'leave out the run that asks for more than it can do')
    .option('--no-keep', 'do not keep the costs in the cache for other commands')
    .option('--keep-runs', "keep every run's folder: the client's files and the ledger", false)
    .option('--seed <n>', 'seed of prompts and of the order of runs', seed, 1)
    .option('--no-pin', 'let target and client share all cores')
    .option('--out <dir>', 'results folder (default: results/profile-<date>)')
    .option('--json', 'print one JSON document on stdout', false)
    .action(async (flags: ProfileFlags) => {
      const { runProfileCommand } = await import('./profile-run.ts');
      await runProfileCommand(flags);
    });
}
