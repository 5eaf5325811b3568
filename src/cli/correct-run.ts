/** What `tare correct` does: reads an audit, fits the client, corrects, tells. */
import { correctText } from '../../reports/model/correct-text.ts';
import { readDocument } from '../../reports/read-document.ts';
import { correctFigures } from '../audit/model/correct.ts';
import type { CorrectDocument } from '../audit/model/correct-document.ts';
import type { NamedFigure } from '../audit/model/figure-name.ts';
import type { Tail } from '../measure/queue/correct-types.ts';
import { readHost } from '../system/host.ts';
import { hostKey } from '../system/profile-store.ts';
import { EXIT } from '../system/user-error.ts';
import { version } from '../system/version.ts';
import { checkNames } from './model-run.ts';

/** The flags of `tare correct`, parsed. */
export interface CorrectFlags {
  client: string;
  rate: number;
  figure: readonly NamedFigure[];
  from: string;
  tokens?: number;
  requests?: number;
  clientVersion?: string;
  tail: Tail;
  seed: number;
  json: boolean;
}

/** 0: every figure has an interval. 4: one or more were refused. */
export const correctExitCode = ({ figures }: Pick<CorrectDocument, 'figures'>): number =>
  figures.every(({ state }) => state === 'interval') ? EXIT.fine : EXIT.undetermined;

/** Runs the command. */
export async function runCorrectCommand(flags: CorrectFlags): Promise<void> {
  const audit = await readDocument(flags.from);
  checkNames(audit, flags.from, [flags.client]);
  const document = correctFigures(audit, {
    entry: audit.clients.find(({ name }) => name === flags.client)!,
    rateRps: flags.rate,
    figures: flags.figure,
    tokens: flags.tokens ?? null,
    requests: flags.requests ?? null,
    clientVersion: flags.clientVersion ?? null,
    tail: flags.tail,
    seed: flags.seed,
    here: hostKey(await readHost()),
    version,
  });
  process.stderr.write(`${correctText(document)}\n`);
  if (flags.json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  process.exitCode = correctExitCode(document);
}
