/** `tare report compare`: what changed between two audits. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { collect } from './options.ts';
import type { CompareFlags } from './report-compare-run.ts';

/** `old=new`, several times; names may hold anything but the sign between them. */
function mapping(text: string, before: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const cut = text.indexOf('=');
  const [from, to] = [text.slice(0, cut).trim(), text.slice(cut + 1).trim()];
  if (cut < 1 || from === '' || to === '')
    throw new InvalidArgumentError('it must be old=new: the name of a client in A, and its name in B.');
  if (before.has(from)) throw new InvalidArgumentError(`"${from}" is mapped twice.`);
  if ([...before.values()].includes(to)) throw new InvalidArgumentError(`two clients are mapped to "${to}".`);
  return new Map([...before, [from, to]]);
}

/** Registers `compare` below `tare report`. */
export function registerReportCompare(report: Command): void {
  report
    .command('compare')
    .description(
      'compares two results folders: what changed beyond the floor, and what it can be put down to',
    )
    .argument('[A]', 'the results folder of before, or of the one side')
    .argument('[B]', 'the results folder of after, or of the other; may be the same as A with --map')
    .option('--map <old=new>', 'a client of A and its name in B (repeatable)', mapping)
    .option('--client <name>', 'only this client (repeatable; default: all that both have)', collect)
    .option(
      '--figures <list>',
      'only these, and decide by all of them, e.g. rate,ttft_p50,ttft_p99,cpu',
      collect,
    )
    .option(
      '--out <dir>',
      'write compare.html, compare.json, compare.csv, compare.md and charts into this folder',
    )
    .option('--json', 'print one JSON document on stdout', false)
    .option('--plain', 'ASCII, without colours', false)
    .option('--all', 'show every figure in the terminal', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 no change for the worse, 3 worse beyond the floor, 4 nothing can be told of a client, or a client or rate is gone from B, or B fails much more often, 2 usage.\nA folder that is called "compare" is reported with: tare report ./compare',
    )
    .action(async (a: string | undefined, b: string | undefined, _: unknown, command: Command) => {
      const { runCompareCommand } = await import('./report-compare-run.ts');
      // `tare report` has flags of the same names, and takes them wherever they stand.
      const above = report.opts<CompareFlags>();
      const own = command.opts<CompareFlags>();
      const either = (name: 'json' | 'plain') => own[name] === true || above[name] === true;
      await runCompareCommand(a, b, { ...own, json: either('json'), plain: either('plain') });
    });
}
