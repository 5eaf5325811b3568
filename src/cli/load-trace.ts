/** Flags of `tare load` about traces. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TraceReport } from '../load/report-trace.ts';
import { readTraceFile, type TraceFile } from '../load/trace-file.ts';
import type { TraceLengths } from '../measure/load/request-shape.ts';
import { parseTime } from '../measure/load/stage-text.ts';
import type { TraceRead, TraceWish } from '../measure/load/trace-rows.ts';
import { UserError } from '../system/user-error.ts';
import { positive } from './options.ts';

export interface TraceFlags {
  readonly traceSlice?: { readonly fromS: number; readonly toS: number };
  readonly traceScale?: number;
  readonly traceLengths?: boolean;
  readonly modelFilter?: string;
  readonly failedRows?: 'skip' | 'send';
}

/** `10m..20m`; an end that is left out is the trace's own. */
function slice(text: string): { fromS: number; toS: number } {
  const [from, to, ...more] = text.split('..').map((part) => part.trim());
  const fromS = from === '' ? 0 : parseTime(from ?? '');
  const toS = to === '' ? Number.POSITIVE_INFINITY : parseTime(to ?? '');
  if (more.length > 0 || !(fromS >= 0 && toS > fromS))
    throw new InvalidArgumentError(
      'it must be FROM..TO, two times after the beginning of the trace, e.g. 10m..20m, ..30s or 1h..',
    );
  return { fromS, toS };
}

export function addTraceFlags(command: Command): void {
  command
    .option('--trace-slice <from..to>', 'only this part of the trace, e.g. 10m..20m', slice)
    .option('--trace-scale <factor>', 'so many times the rate of the trace, e.g. 2', positive)
    .option('--no-trace-lengths', 'prompts and answers as --prompt-tokens and --tokens say, not as the trace')
    .option('--model-filter <name>', 'of a BurstGPT trace: only the requests of this model, e.g. GPT-4')
    .addOption(
      new Option(
        '--failed-rows <what>',
        'rows of the trace without output (they had failed): skip leaves them out, send asks for 1 token (default: skip)',
      ).choices(['skip', 'send']),
    );
}

/** The names of the flags that were given, as they are spelled. */
export const traceFlagsGiven = (flags: TraceFlags): string[] =>
  (
    [
      ['--trace-slice', flags.traceSlice],
      ['--trace-scale', flags.traceScale],
      ['--model-filter', flags.modelFilter],
      ['--failed-rows', flags.failedRows],
      ['--no-trace-lengths', flags.traceLengths === false ? true : undefined],
    ] as const
  ).flatMap(([name, value]) => (value === undefined ? [] : [name]));

/** A trace, scaled, and what the report says of it. */
export interface Trace {
  readonly offsetsS: readonly number[];
  /** null: it states none, or they are not to be used. */
  readonly lengths: TraceLengths | null;
  readonly report: TraceReport;
}

/** Throws a UserError on a trace that cannot be used. */
export async function readTrace(file: string, flags: TraceFlags): Promise<Trace> {
  const wish: TraceWish = {
    slice: flags.traceSlice ?? null,
    model: flags.modelFilter ?? null,
    failed: flags.failedRows ?? 'skip',
  };
  let trace: TraceFile;
  try {
    trace = await readTraceFile(file, wish);
  } catch (error) {
    throw new UserError(`the trace ${file} could not be used: ${(error as Error).message}`);
  }
  const scale = flags.traceScale ?? 1;
  const used = trace.read === null || flags.traceLengths === false ? null : trace.read;
  return {
    offsetsS: Array.from(trace.offsetsS, (at) => at / scale),
    lengths: used === null ? null : lengthsOf(used),
    report: traceReport(file, trace, wish, scale, used !== null),
  };
}

const lengthsOf = ({ promptTokens, outputTokens, kinds }: TraceRead): TraceLengths => ({
  promptTokens,
  outputTokens,
  tasks: kinds,
});

function traceReport(
  file: string,
  { format, read, offsetsS, shiftedS, ignored }: TraceFile,
  { slice: part, model, failed }: TraceWish,
  scale: number,
  lengthsUsed: boolean,
): TraceReport {
  const notes = ignored.map((name) => `the column ${name} is not followed: requests are of text alone`);
  if (shiftedS > 0)
    notes.push(
      `its times begin at ${shiftedS} s, so they are of a clock and no offsets: they are counted from the first one`,
    );
  if (read?.wholeSeconds && read.offsetsS.length > 1)
    notes.push('the trace states whole seconds: the requests of one second are due at the same instant');
  return {
    file,
    format,
    rows: read?.counts.rows ?? offsetsS.length,
    used: offsetsS.length,
    before_slice: read?.counts.beforeSlice ?? 0,
    other_model: read?.counts.otherModel ?? 0,
    failed_rows: read?.counts.failed ?? 0,
    failed_rows_are: read === null ? null : failed === 'skip' ? 'skipped' : 'sent',
    prompts_raised: read?.counts.promptRaised ?? 0,
    slice_s: part === null ? null : [part.fromS, Number.isFinite(part.toS) ? part.toS : null],
    model,
    scale,
    lengths: read === null ? 'none stated' : lengthsUsed ? 'as in the trace' : 'not used',
    notes,
  };
}
