/** What `tare model` does: reads a results folder, fits, tells. */

import { modelText } from '../../reports/model/table.ts';
import { readDocument } from '../../reports/read-document.ts';
import { listed, oneLine } from '../../reports/text.ts';
import type { AuditDocument } from '../audit/document.ts';
import type { ModelDocument } from '../audit/model/document.ts';
import { modelDocument } from '../audit/model/model.ts';
import { queueTools } from '../audit/model/tools.ts';
import { asFileError } from '../system/disk.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { writeWhole } from '../system/write-whole.ts';

/** The flags of `tare model`, parsed. */
export interface ModelFlags {
  client?: string[];
  holdOut?: number[];
  seed: number;
  out?: string;
  json: boolean;
}

/** Throws a UserError for a client or a rate that the audit does not have. */
export function checkNames(document: AuditDocument, folder: string, clients: readonly string[] | null): void {
  const known = document.clients.map(({ name }) => name);
  const unknown = (clients ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UserError(
      `the audit in ${folder} has no client ${unknown.map(oneLine).join(', ')}; it has ${listed(known.map(oneLine))}.`,
    );
}

function checkRates(document: AuditDocument, folder: string, rates: readonly number[] | null): void {
  const known = document.plan.rates_rps;
  const unknown = (rates ?? []).filter((rate) => !known.includes(rate));
  if (unknown.length > 0)
    throw new UserError(
      `--hold-out ${unknown.join(',')}: the audit in ${folder} was not run at ${unknown.length === 1 ? 'that rate' : 'those rates'}; it has ${listed(known.map(String))} requests/s.`,
    );
}

/** A rate that no client is fitted at cannot be left out of a fit. */
function checkSteady({ clients }: ModelDocument, holdOut: readonly number[] | null): void {
  const modelled = clients.filter(({ state }) => state !== 'refused');
  if (modelled.length === 0) return;
  const never = (holdOut ?? []).filter(
    (rate) => !modelled.some(({ rates }) => rates.some((one) => one.asked_rps === rate && one.held_out)),
  );
  if (never.length === 0) return;
  const steady = modelled.flatMap(({ rates }) =>
    rates.filter(({ saturated }) => !saturated).map(({ asked_rps }) => asked_rps),
  );
  const known = [...new Set(steady)].sort((a, b) => a - b);
  throw new UserError(
    `--hold-out ${never.join(',')}: no client has a steady rate with figures there (saturated, or not measured), so no fit has it and none can be left out. Hold out of ${listed(known.map(String))} requests/s.`,
  );
}

/** 0: a model was chosen for some client. 4: for none, so nothing can be said. */
export const modelExitCode = ({ clients }: Pick<ModelDocument, 'clients'>): number =>
  clients.some(({ state }) => state === 'fitted') ? EXIT.fine : EXIT.undetermined;

/** Runs the command. */
export async function runModelCommand(folder: string, flags: ModelFlags): Promise<void> {
  const audit = await readDocument(folder);
  const clients = flags.client ?? null;
  const holdOut = flags.holdOut ?? null;
  checkNames(audit, folder, clients);
  checkRates(audit, folder, holdOut);
  const document = modelDocument(audit, { clients, holdOut, seed: flags.seed, tools: queueTools, version });
  checkSteady(document, holdOut);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (flags.out !== undefined)
    await writeWhole(flags.out, text).catch((error) => {
      throw asFileError(error, flags.out!);
    });
  process.stderr.write(`${modelText(document)}\n`);
  if (flags.json) process.stdout.write(text);
  process.exitCode = modelExitCode(document);
}
