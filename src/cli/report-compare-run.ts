/** What `tare report compare` does: reads two folders, compares, tells, writes. */
import { join } from 'node:path';
import { compareTable } from '../../reports/compare/table.ts';
import { told } from '../../reports/compare/words.ts';
import { compareFiles, compareJson, writeComparison } from '../../reports/compare/write.ts';
import { readDocument } from '../../reports/read-document.ts';
import { clientVerdict } from '../../reports/verdict.ts';
import { compareAudits } from '../audit/compare-audits/compare.ts';
import type { SideVerdict } from '../audit/compare-audits/document.ts';
import { compareExitCode } from '../audit/compare-audits/exit-code.ts';
import { DEFAULT_FIGURES, FIGURES, figuresNamed } from '../audit/compare-audits/figures.ts';
import type { AuditDocument } from '../audit/document.ts';
import { UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';

/** The flags of `tare report compare`, parsed. */
export interface CompareFlags {
  map?: ReadonlyMap<string, string>;
  client?: string[];
  figures?: string[];
  out?: string;
  json?: boolean;
  plain?: boolean;
  all?: boolean;
}

function verdictOf(document: AuditDocument, client: string): SideVerdict {
  const { verdict, holds_rps, fails_rps, sentence } = clientVerdict(document, client);
  return { verdict, holds_rps, fails_rps, sentence };
}

/** Runs the command; sets the exit code. */
export async function runCompareCommand(
  a: string | undefined,
  b: string | undefined,
  flags: CompareFlags,
): Promise<void> {
  if (a === undefined || b === undefined)
    throw new UserError(
      `tare report compare takes two results folders, A and B${a === undefined ? '; to report on a folder that is called "compare", use: tare report ./compare' : `; only "${a}" was given`}.`,
    );
  const figures = figuresNamed(flags.figures ?? DEFAULT_FIGURES);
  if (figures === null)
    throw new UserError(
      `--figures ${flags.figures!.join(',')}: known are ${FIGURES.map(({ name }) => name).join(', ')}.`,
    );
  if (figures.length === 0)
    throw new UserError(
      `--figures names no figure; known are ${FIGURES.map(({ name }) => name).join(', ')}.`,
    );
  const [before, after] = [await readDocument(a), await readDocument(b)];
  const comparison = compareAudits({
    a: before,
    b: after,
    folderA: a,
    folderB: b,
    map: flags.map ?? new Map(),
    clients: flags.client ?? null,
    figures,
    chosen: flags.figures !== undefined,
    verdictOf,
    version,
  });
  const document = told(comparison);
  const written =
    flags.out === undefined
      ? []
      : await writeComparison(await compareFiles(document, before, after), flags.out);
  if (flags.json === true) process.stdout.write(compareJson(document));
  else {
    const color = process.stderr.isTTY === true && process.env.NO_COLOR === undefined;
    const all = flags.all === true || flags.figures !== undefined;
    process.stderr.write(`${compareTable(document, { plain: flags.plain === true, color, all })}\n`);
  }
  if (flags.out !== undefined)
    process.stderr.write(
      `${join(flags.out, 'compare.html')} and ${written.length - 1} other files written.\n`,
    );
  process.exitCode = compareExitCode(document);
}
