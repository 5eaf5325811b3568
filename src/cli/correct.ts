/** `tare correct`: what the server's own value of a reported figure may have been. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FIGURE_FORMS, type NamedFigure, parseFigure, withFigure } from '../audit/model/figure-name.ts';
import type { CorrectFlags } from './correct-run.ts';
import { positive, positiveInteger, seed } from './options.ts';

function figures(text: string, before: readonly NamedFigure[] = []): readonly NamedFigure[] {
  try {
    return text.split(',').map(parseFigure).reduce(withFigure, before);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Registers `tare correct`. */
export function registerCorrect(program: Command): void {
  program
    .command('correct')
    .description("the interval in which the server's own value lies of a figure that a client reported")
    .requiredOption('--client <name>', 'the client that reported it, by its name in the audit')
    .requiredOption('--rate <n>', 'requests/s of that run', positive)
    .requiredOption('--figure <figure>', `repeatable: ${FIGURE_FORMS}`, figures)
    .requiredOption(
      '--from <folder>',
      'results folder of an audit of the client on that machine, Poisson arrivals',
    )
    .option('--tokens <n>', "output tokens of a request (default: the audit's)", positiveInteger)
    .option(
      '--requests <n>',
      'requests of that run (default: as many as at a rate of the audit)',
      positiveInteger,
    )
    .option('--client-version <version>', 'version of the client that reported it')
    .addOption(
      new Option('--tail <bound>', "of the client's delay: any with its mean (markov), or its M/G/1 model's")
        .choices(['markov', 'model'])
        .default('markov'),
    )
    .option('--seed <n>', 'seed of the bootstrap', seed, 1)
    .option('--json', 'print one JSON document on stdout', false)
    .action(async (flags: CorrectFlags) => {
      const { runCorrectCommand } = await import('./correct-run.ts');
      await runCorrectCommand(flags);
    });
}
