/** What `tare check` does: holds each client's stated definitions against what it prints. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Table from 'cli-table3';
import { tareBlockingAdapter } from '../../adapters/tare/adapter.ts';
import { agrees, CHECK_HEAD, checkRows, checkSummary, clientName } from '../../reports/check-table.ts';
import { CHECK_SCHEMA, type CheckDocument } from '../audit/check-document.ts';
import { CHECK_WORKLOAD, SHAPES } from '../audit/definition-check.ts';
import { ResultsFolder } from '../audit/results.ts';
import { type ClientCheck, checkPlan, runDefinitionCheck } from '../audit/run-definition-check.ts';
import { readHost } from '../system/host.ts';
import { processGroupLauncher } from '../system/process-group.ts';
import { EXIT } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { chooseClients } from './client-choice.ts';
import { clientsHere, type Here } from './clients-here.ts';
import { interruptible } from './interruptible.ts';

/** The flags of `tare check`, parsed. */
export interface CheckFlags {
  client?: string[];
  out?: string;
  json: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** 0: all agree; 3: one does not; 4: cut short; 5: none could be checked. */
export function checkExitCode(clients: readonly ClientCheck[], asked: number): number {
  if (clients.some((one) => one.checks !== null && !agrees(one))) return EXIT.outOfTolerance;
  if (clients.length < asked) return EXIT.undetermined;
  return clients.every(({ checks }) => checks === null) ? EXIT.harnessInvalid : EXIT.fine;
}

/** Runs the command. */
export async function runCheckCommand(flags: CheckFlags): Promise<void> {
  const { signal } = interruptible();
  const here = await clientsHere(chooseClients(flags.client ?? null));
  const path = flags.out === undefined ? await mkdtemp(join(tmpdir(), 'tare-check-')) : resolve(flags.out);
  const folder = await ResultsFolder.create(path);
  const startedAt = new Date().toISOString();
  const plan = checkPlan(
    here.map(({ adapter }) => adapter.name),
    await readHost(),
  );
  const context = { launcher: processGroupLauncher, folder, plan, signal };
  const check = async ({ adapter, found }: Here, label: string): Promise<ClientCheck> => {
    say(label);
    const result = await runDefinitionCheck(adapter, found, context);
    if (result.reason !== null) say(`  not checked: ${result.reason}`);
    return result;
  };
  try {
    const own = await tareBlockingAdapter.find();
    const floor =
      own.state === 'found' ? await check({ adapter: tareBlockingAdapter, found: own }, 'floor') : null;
    const clients: ClientCheck[] = [];
    for (const [i, one] of here.entries()) {
      if (signal.aborted) break;
      const result = await check(
        one,
        `[${i + 1}/${here.length}] ${clientName({ client: one.adapter.name, version: one.found.version })}`,
      );
      if (!signal.aborted) clients.push(result);
    }
    const document: CheckDocument = {
      schema: CHECK_SCHEMA,
      tare_version: version,
      started_at: startedAt,
      workload: {
        rate_rps: CHECK_WORKLOAD.rateRps,
        requests: CHECK_WORKLOAD.rateRps * CHECK_WORKLOAD.durationS,
        latency: CHECK_WORKLOAD.latency,
      },
      passes: SHAPES.map(({ name, role, tailMs }) => ({ name, role, tail_ms: tailMs })),
      floor,
      clients,
    };
    report(document, flags);
    process.exitCode = checkExitCode(clients, here.length);
  } finally {
    if (flags.out === undefined) await rm(path, { recursive: true, force: true });
  }
}

function report(document: CheckDocument, flags: CheckFlags): void {
  const table = new Table({ head: [...CHECK_HEAD], style: { head: [], border: [], compact: true } });
  table.push(...checkRows(document));
  say(table.toString());
  say(`Figures: pass 1 (${document.passes[0]!.name}) / pass 2 (${document.passes[1]!.name}).`);
  say(checkSummary(document));
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
}
