import { join } from 'node:path';
import type { Command } from 'commander';
import { readDocument } from '../../reports/read-document.ts';
import { summaryTable } from '../../reports/table.ts';
import { clientVerdicts } from '../../reports/verdict.ts';
import { writeReports } from '../../reports/write.ts';
import { registerReportCompare } from './report-compare.ts';

interface Options {
  readonly json?: boolean;
  readonly plain?: boolean;
}

/** Registers `tare report`. */
export function registerReport(program: Command): void {
  const command = program
    .command('report')
    .description('rebuilds the reports (page, charts, CSV) of a results folder from its audit.json')
    .argument('<dir>', 'a results folder, as "tare audit --out" wrote it')
    .option('--json', 'one JSON document on stdout: the files written and a verdict a client')
    .option('--plain', 'the summary in ASCII, without colours')
    .action(report);
  registerReportCompare(command);
}

async function report(dir: string, options: Options): Promise<void> {
  const document = await readDocument(dir);
  const files = await writeReports(document, dir);
  if (options.json === true) {
    const verdicts = clientVerdicts(document).map(
      ({ client, verdict, holds_rps, fails_rps, tolerance_ms, sentence, rates }) => ({
        client,
        verdict,
        holds_rps,
        fails_rps,
        tolerance_ms,
        sentence,
        rates: rates.map(({ rate_rps, state, reason }) => ({ rate_rps, state, reason })),
      }),
    );
    process.stdout.write(`${JSON.stringify({ schema: 'tare-report/1', dir, files, verdicts }, null, 2)}\n`);
    return;
  }
  const color = process.stderr.isTTY === true && process.env.NO_COLOR === undefined;
  process.stderr.write(`${summaryTable(document, { plain: options.plain === true, color })}\n`);
  process.stderr.write(`${join(dir, 'report.html')} and ${files.length - 1} other files written.\n`);
}
