/** A run of a client for one probe: its printed summary is judged, and where that lacks a figure its records. */
import type { Adapter, Found } from '../../../adapters/contract.ts';
import type { FigureName } from '../../measure/probe/figures.ts';
import type { Given } from '../../measure/probe/judged.ts';
import type { ProbeLedgerRow } from '../../truth/probe-ledger.ts';
import type { CellFigure, ProbeCell, ProbeRun } from './document.ts';
import { allShouldFail, cellOf, judgeRows, PLAIN, type Scripted } from './judge-rows.ts';
import { type LaunchPlan, launchProbes, type ProbeContext, type ProbeLaunch } from './launch.ts';
import { printedFigures, recordFigures } from './observed.ts';
import { medianLateness } from './on-time.ts';
import { recordRows } from './record-rows.ts';
import { slowestS } from './slowest.ts';
import { kindWords } from './words.ts';

const REQUESTS = 10;
const RATE_RPS = 10;
/** A target that is later than this is no excuse any more: the cell is undetermined. */
const MOST_LATE_MS = 30;

export interface Alone {
  readonly cell: ProbeCell;
  readonly runs: readonly ProbeRun[];
}

/** A client may rightly give up where everything fails: then every second request is sound. */
const slotsOf = (probe: Scripted, alternate: boolean): string[] =>
  alternate ? [probe.id, PLAIN] : [probe.id];

function planOf(probe: Scripted, id: string, alternate: boolean): LaunchPlan {
  return {
    id,
    slots: slotsOf(probe, alternate),
    requests: probe.requests ?? REQUESTS,
    rateRps: probe.rateRps ?? RATE_RPS,
    outputTokens: probe.tokens ?? 50,
    slowestS: slowestS([probe]),
  };
}

const notJudged = (
  probe: Scripted,
  client: string,
  verdict: ProbeCell['verdict'],
  kind: string | null,
  words: string,
  launch: ProbeLaunch,
): ProbeCell => ({
  client,
  probe: probe.id,
  verdict,
  kind,
  words,
  size: null,
  figures: [],
  requests: launch.ledger?.requests.filter((row) => row.probe === probe.id).length ?? 0,
  run: launch.run.id,
  confirms: null,
});

/** A script that looks at the exit code alone must not take a run for a good one in which every request failed. */
function withExitCode(
  cell: ProbeCell,
  probe: Scripted,
  rows: readonly ProbeLedgerRow[],
  { client }: ProbeLaunch,
): ProbeCell {
  const nothing = rows.every((row) => row.probe === probe.id) && allShouldFail(probe, rows);
  if (!nothing || cell.verdict !== 'right' || client?.exitCode !== 0) return cell;
  return {
    ...cell,
    verdict: 'faulty',
    kind: 'exit-0-of-nothing',
    words: 'Every request failed, and it exits with 0, as if the run had gone well.',
  };
}

/** The verdict on a run that left no figures. */
function withoutFigures(
  probe: Scripted,
  client: string,
  launch: ProbeLaunch,
  { last, alternate }: { last: boolean; alternate: boolean },
): ProbeCell | null {
  const { run, parsed, client: result, ledger } = launch;
  const give = (verdict: ProbeCell['verdict'], kind: string | null, words: string): ProbeCell =>
    notJudged(probe, client, verdict, kind, words, launch);
  if (result === null || ledger === null || result.end === 'notStarted' || result.end === 'interrupted')
    return give('undetermined', null, `Not judged: ${run.failure ?? run.end}.`);
  const rows = ledger.requests.filter((row) => row.probe === probe.id);
  if (rows.length === 0 && ledger.requests.length > 0 && ledger.requests.every((row) => !row.streamed))
    return give('not applicable', null, 'It asks for no stream.');
  if (result.end === 'timedOut')
    return give('crashed', 'hangs', `It ${run.end}: ${kindWords('hangs', probe)}.`);
  // One that gave up at the first had sent few.
  const sent = !alternate && rows.length > run.requests / 2;
  if (sent && parsed?.state === 'failed' && allShouldFail(probe, rows))
    return withExitCode(
      give('right', null, `Nothing succeeded, and it gives no figure: ${run.failure}.`),
      probe,
      rows,
      launch,
    );
  if (!last) return null;
  const kind = rows.length > 0 && allShouldFail(probe, rows) ? 'ends-at-failure' : 'crashes';
  return give(
    'crashed',
    kind,
    `It ${run.end} and left no result: ${kindWords(kind, probe)}. ${run.failure ?? ''}`.trim(),
  );
}

/** Figures of the whole run: printed ones first. */
function figuresOfRun(
  launch: ProbeLaunch,
  rows: readonly ProbeLedgerRow[],
  adapter: Adapter,
): { got: Given; by: (name: string) => CellFigure['by'] } {
  const report = launch.report!;
  const printed = printedFigures(report, rows.length);
  const records = report.records === null ? null : recordRows(report, rows, adapter.facts).record;
  // Of the same run: gaps of records are another figure than a summary's ITL that is TPOT by another name.
  const own =
    records === null || records.includes(undefined)
      ? {}
      : recordFigures(records as Parameters<typeof recordFigures>[0], adapter.facts.definitions);
  const got: Partial<Record<FigureName, number | null>> = { ...printed };
  const fromRecords = new Set<string>();
  for (const [name, value] of Object.entries(own) as [FigureName, number | null][])
    if ((got[name] ?? null) === null && value !== null && !name.startsWith('itl')) {
      got[name] = value;
      fromRecords.add(name);
    }
  return { got, by: (name) => (fromRecords.has(name) ? 'records' : 'printed') };
}

/** Runs a probe on its own; where the client gives up, once more with every second request sound. */
export async function probeAlone(
  adapter: Adapter,
  found: Found,
  probe: Scripted,
  probeOf: (id: string) => Scripted,
  id: string,
  context: ProbeContext,
): Promise<Alone> {
  const runs: ProbeRun[] = [];
  const ways = probe.scope === 'run' ? [false] : probe.rough ? [true] : [false, true];
  for (const [i, alternate] of ways.entries()) {
    const name = i === 0 ? id : `${id}-with-plain`;
    const launch = await launchProbes(adapter, found, planOf(probe, name, alternate), context);
    runs.push(launch.run);
    const last = i === ways.length - 1 || context.signal.aborted;
    const rows = launch.ledger?.requests.filter((row) => !row.warm_up) ?? [];
    if (launch.report === null || rows.length === 0) {
      const cell = withoutFigures(probe, adapter.name, launch, { last, alternate });
      if (cell !== null) return { cell, runs };
      continue;
    }
    if (!rows.some((row) => row.probe === probe.id))
      return {
        cell: notJudged(probe, adapter.name, 'not applicable', null, 'It asks for no stream.', launch),
        runs,
      };
    const { got, by } = figuresOfRun(launch, rows, adapter);
    const late = Math.min(MOST_LATE_MS, medianLateness(rows));
    const room = { ttftMs: late, e2eMs: late };
    const judged = judgeRows(probe, rows, probeOf, adapter.facts, got, by, room);
    const cell = cellOf(probe, adapter.name, judged, { requests: rows.length, run: name });
    return { cell: withExitCode(cell, probe, rows, launch), runs };
  }
  throw new Error('unreachable: the last way always gives a cell');
}
