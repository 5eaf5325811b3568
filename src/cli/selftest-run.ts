/** What `tare selftest` does: the floor, then the controls, then a table. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Table from 'cli-table3';
import type { Adapter } from '../../adapters/contract.ts';
import { findAdapter } from '../../adapters/registry.ts';
import { createFaultyAdapter, createTareAdapter, tareBlockingAdapter } from '../../adapters/tare/adapter.ts';
import { TARE } from '../../adapters/tare/facts.ts';
import { floorLines } from '../../reports/floor-words.ts';
import { SELFTEST_HEAD, selftestRows, selftestSummary } from '../../reports/selftest-table.ts';
import { sizeWords } from '../../reports/size-words.ts';
import type { FloorEvent } from '../audit/measure-floor.ts';
import { ResultsFolder } from '../audit/results.ts';
import { CONTROLS, type Control } from '../audit/selftest/controls.ts';
import type { ControlResult, SelftestDocument } from '../audit/selftest/document.ts';
import { type ControlClient, runSelftest } from '../audit/selftest/selftest.ts';
import { readHost } from '../system/host.ts';
import { checkCapture } from '../system/packet-capture.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { writeWhole } from '../system/write-whole.ts';
import { interruptible } from './interruptible.ts';
import { duration } from './progress.ts';

/** The flags of `tare selftest`, parsed. */
export interface SelftestFlags {
  only?: string[];
  repeat: number;
  seed: number;
  wire: boolean;
  out?: string;
  json: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Workers warm their code for so long: enough for medians, and a third of the usual. */
const REHEARSAL = '100ms';

/** Our client, as it is or with the control's fault; or another one. */
export function adapterOf({ fault, client }: Pick<Control, 'fault' | 'client'>): Adapter {
  if (client !== undefined) return findAdapter(client);
  return fault === null
    ? createTareAdapter({ ...TARE, rehearsal: REHEARSAL })
    : createFaultyAdapter(fault, { rehearsal: REHEARSAL });
}

/** The controls that were asked for; throws a UserError that lists those there are. */
export function chosenControls(only: readonly string[] | undefined): readonly Control[] {
  if (only === undefined) return CONTROLS;
  if (only.length === 0) throw new UserError('--only names no control; leave it away to run them all.');
  const unknown = only.filter((name) => !CONTROLS.some((control) => control.name === name));
  if (unknown.length > 0)
    throw new UserError(
      `there is no control ${unknown.join(', ')}; there are ${CONTROLS.map(({ name }) => name).join('; ')}.`,
    );
  return CONTROLS.filter(({ name }) => only.includes(name));
}

/** Each control's client; those that are not here are left out, with a word. */
async function clientsOf(controls: readonly Control[]): Promise<Map<Control, ControlClient>> {
  const clients = new Map<Control, ControlClient>();
  for (const control of controls) {
    const adapter = adapterOf(control);
    const found = await adapter.find();
    if (found.state === 'found') clients.set(control, { adapter, found });
    else if (control.client === undefined)
      throw new UserError(`${found.reason}. To mend it: ${found.remedy}`);
    else say(`${control.name} is left out: ${found.reason} (${found.remedy})`);
  }
  return clients;
}

function showFloor(event: FloorEvent): void {
  if (event.kind === 'floorStart')
    say(`measuring this machine's floor (about ${duration(event.estimatedS)})`);
  else if (!event.plausible) say('disturbed by other work, so not taken');
  else for (const line of floorLines(event.floor)) say(line);
}

function controlLine(result: ControlResult, index: number, total: number): string {
  const { control, verdict, expects, size, unit, expected_size: expected } = result;
  const sizes =
    size === null || expected === null
      ? ''
      : `, ${sizeWords(size, unit)} where ${sizeWords(expected, unit)} was given`;
  const what = expects === null ? '' : `: ${expects}${sizes}`;
  const why = verdict === 'right' ? '' : ` (${result.reason})`;
  return `${index + 1}/${total} ${control}${what}: ${verdict}${why}`;
}

/** 0: passed; 5: something undisturbed did not come out right; 4: cut short, no floor, or the machine disturbed what did not come out right. */
export function selftestExitCode({
  state,
  passed,
  controls,
}: Pick<SelftestDocument, 'state' | 'passed'> & {
  readonly controls: readonly Pick<ControlResult, 'verdict'>[];
}): number {
  if (passed) return EXIT.fine;
  const wrong = controls.some(({ verdict }) => verdict !== 'right' && verdict !== 'undetermined');
  return state === 'finished' && wrong ? EXIT.harnessInvalid : EXIT.undetermined;
}

/** Runs the command. */
export async function runSelftestCommand(flags: SelftestFlags): Promise<void> {
  const { signal } = interruptible();
  const clients = await clientsOf(chosenControls(flags.only));
  const controls = [...clients.keys()];
  if (flags.wire) await checkCapture(processGroupLauncher);
  const path = flags.out === undefined ? await mkdtemp(join(tmpdir(), 'tare-selftest-')) : resolve(flags.out);
  const folder = await ResultsFolder.create(path);
  say(
    `tare selftest: ${controls.length} controls${flags.repeat > 1 ? ` × ${flags.repeat}` : ''}, about ${duration(30 + controls.length * flags.repeat * 5)}`,
  );
  try {
    const document = await runSelftest({
      version,
      host: await readHost(),
      controls,
      repetitions: flags.repeat,
      seed: flags.seed,
      wire: flags.wire,
      clientOf: (control) => clients.get(control)!,
      floorAdapter: tareBlockingAdapter,
      folder,
      launcher: processGroupLauncher,
      signal,
      onFloor: showFloor,
      onControl: (result, index, total) => say(controlLine(result, index, total)),
      now: () => new Date(),
    });
    const table = new Table({ head: [...SELFTEST_HEAD], style: { head: [], border: [], compact: true } });
    table.push(
      ...selftestRows(
        document,
        controls.map(({ name }) => name),
      ),
    );
    say(table.toString());
    say(`${selftestSummary(document)} (${duration(document.elapsed_s)})`);
    if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
    if (flags.out !== undefined)
      await writeWhole(join(path, 'selftest.json'), `${JSON.stringify(document, null, 2)}\n`);
    process.exitCode = selftestExitCode(document);
  } finally {
    if (flags.out === undefined) await rm(path, { recursive: true, force: true });
  }
}
