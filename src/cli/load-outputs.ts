/** What `tare load` writes: its report alone, single files, or a folder with everything. */
import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Collected, collect, type RecordSinks } from '../../reports/load/collect.ts';
import { promText } from '../../reports/load/prometheus.ts';
import { secondsCsv, summaryCsv } from '../../reports/load/summary-csv.ts';
import type { LoadReport } from '../load/report.ts';
import type { AskedRecord } from '../load/requests/asked-fields.ts';
import type { HostInfo } from '../system/host.ts';
import { UserError } from '../system/user-error.ts';
import { makeEmptyFolder } from './default-folder.ts';
import { type NamedPath, refuseSameFile } from './load-paths.ts';

export interface OutputFlags {
  readonly out?: string;
  readonly csv?: string;
  readonly hlog?: string;
  readonly prom?: string;
  readonly html?: string;
}

/** Paths of what is to be written; undefined: it is not. */
export interface OutputPaths {
  readonly report?: string | undefined;
  readonly requests?: string | undefined;
  readonly summary?: string | undefined;
  readonly seconds?: string | undefined;
  readonly hlog?: string | undefined;
  readonly prom?: string | undefined;
  readonly html?: string | undefined;
}

/** Adds the flags of the outputs. */
export const addOutputFlags = (command: Command): Command =>
  command
    .option(
      '--out <path>',
      'a folder for everything (an empty or new one), or a path ending in .json for the report alone',
    )
    .option('--csv <file>', 'write a row for each request')
    .option('--hlog <file>', 'write interval histograms (HdrHistogram log format)')
    .option('--prom <file>', 'write the figures in Prometheus’ text format')
    .option('--html <file>', 'write the page');

/** Whether --out is a file: it ends in .json, or there is something of that name that is no folder (such as /dev/null). */
const isFile = (path: string): boolean =>
  path.endsWith('.json')
    ? !(existsSync(path) && statSync(path).isDirectory())
    : existsSync(path) && !statSync(path).isDirectory();

/** Which files the flags come to. A single file of a flag is written in place of the one in the folder. */
export function outputPaths(flags: OutputFlags): OutputPaths {
  const single = { requests: flags.csv, hlog: flags.hlog, prom: flags.prom, html: flags.html };
  if (flags.out === undefined) return single;
  if (isFile(flags.out)) return { ...single, report: flags.out };
  const inside = (name: string): string => join(flags.out!, name);
  return {
    report: inside('report.json'),
    requests: flags.csv ?? inside('requests.csv'),
    summary: inside('summary.csv'),
    seconds: inside('seconds.csv'),
    hlog: flags.hlog ?? inside('load.hlog'),
    prom: flags.prom ?? inside('metrics.prom'),
    html: flags.html ?? inside('load.html'),
  };
}

/** Flags that name files which a run reads or writes. */
export interface FileFlags extends OutputFlags {
  readonly records?: string;
  readonly apiKeyFile?: string;
  readonly tasks?: string;
}

/**
 * Makes the folder, and sees that each file can be written and is another one: says so before the run, not after it. `trace`: the file of the arrivals, where
 * they are of one.
 */
export async function claimOutputs(
  flags: FileFlags,
  paths: OutputPaths,
  trace: string | undefined,
): Promise<void> {
  const { out, csv, hlog, prom, html, records } = flags;
  const folder = out !== undefined && !isFile(out);
  const check = (): void =>
    refuseSameFile(
      [
        ['--out', folder ? undefined : out],
        ['--records', records],
        ['--csv', csv],
        ['--hlog', hlog],
        ['--prom', prom],
        ['--html', html],
        // Files of the folder that no flag names.
        ...(folder
          ? (Object.entries(paths) as [string, string][])
              .filter(([, path]) => ![csv, hlog, prom, html].includes(path))
              .map(([name, path]): NamedPath => [`--out (its ${name})`, path])
          : []),
      ],
      [
        ['--api-key-file', flags.apiKeyFile],
        ['--tasks', flags.tasks],
        ['the trace', trace],
      ],
    );
  check();
  if (folder) await makeEmptyFolder(out);
  for (const path of [records, ...Object.values(paths)]) claimFile(path);
  // A link to nothing has been followed by now.
  check();
}

/** Throws a UserError where a file cannot be written. */
export function claimFile(path: string | undefined): void {
  if (path === undefined) return;
  try {
    writeFileSync(path, '');
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** A file that is written in pieces under a temporary name, and is whole or not there. */
class PieceFile {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  constructor(path: string) {
    this.#path = path;
    // Of what is no plain file (/dev/null, a pipe) there is no second name.
    this.#temporary = existsSync(path) && !statSync(path).isFile() ? path : `${path}.part`;
    this.#file = openSync(this.#temporary, 'w');
  }
  write = (text: string): void => void writeSync(this.#file, text);
  keep(): void {
    closeSync(this.#file);
    if (this.#temporary !== this.#path) renameSync(this.#temporary, this.#path);
  }
  drop(): void {
    closeSync(this.#file);
    if (this.#temporary !== this.#path) rmSync(this.#temporary, { force: true });
  }
}

const cannotWrite = (error: unknown): UserError =>
  new UserError(
    `the results could not be written: ${(error as Error).message}. Make room, or give another path.`,
  );

/** Whether any output is made from records. */
export const needsRecords = (paths: OutputPaths): boolean =>
  [paths.requests, paths.seconds, paths.hlog, paths.prom, paths.html].some((path) => path !== undefined);

/** Goes through the records once, and writes what is made of them in pieces. Throws a UserError where it cannot be written. */
export function writeRecordFiles(
  paths: OutputPaths,
  report: LoadReport,
  records: Iterable<AskedRecord>,
): Collected {
  const files = new Map<keyof RecordSinks, PieceFile>();
  try {
    if (paths.requests !== undefined) files.set('csv', new PieceFile(paths.requests));
    if (paths.hlog !== undefined) files.set('hlog', new PieceFile(paths.hlog));
    const collected = collect(report, records, {
      csv: files.get('csv')?.write,
      hlog: files.get('hlog')?.write,
    });
    for (const file of files.values()) file.keep();
    return collected;
  } catch (error) {
    for (const file of files.values()) file.drop();
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw cannotWrite(error);
  }
}

/** Writes what is small: figures, exposition and page. Throws a UserError where it cannot be written. */
export async function writeReportFiles(
  paths: OutputPaths,
  report: LoadReport,
  collected: Collected | null,
  host: HostInfo,
  command: readonly string[],
): Promise<void> {
  const write = (path: string | undefined, content: () => string): void => {
    if (path !== undefined) writeFileSync(path, content());
  };
  try {
    write(paths.report, () => `${JSON.stringify(report, null, 2)}\n`);
    write(paths.summary, () => summaryCsv(report));
    if (collected === null) return;
    write(paths.seconds, () => secondsCsv(collected.series));
    write(paths.prom, () => promText(report, collected.buckets));
    if (paths.html === undefined) return;
    // Vega takes half a second to load, which a run without a page need not spend.
    const { renderLoadPage } = await import('../../reports/load/render.ts');
    const page = await renderLoadPage({ report, series: collected.series, host, command });
    write(paths.html, () => page);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw cannotWrite(error);
  }
}
