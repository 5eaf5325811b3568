/** What `tare claim check` does: reads each file, holds it against arithmetic and what is known, and reports. */
import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { ClaimTextOptions } from '../../reports/claim/pen.ts';
import { claimLine, claimShortText } from '../../reports/claim/short-text.ts';
import { claimText } from '../../reports/claim/text.ts';
import { writeClaimReports } from '../../reports/claim/write.ts';
import { count, oneLine } from '../../reports/text.ts';
import { ARITHMETIC_CHECKS } from '../claims/arithmetic/all.ts';
import type { Claim } from '../claims/claim.ts';
import { auditClaim } from '../claims/document.ts';
import type { ClaimDocument } from '../claims/document-schema.ts';
import { expectedBias } from '../claims/evidence/expected-bias.ts';
import { clientKnowledge } from '../claims/evidence/known-client.ts';
import { decodeClaim } from '../claims/file/decode.ts';
import { LIMITS } from '../claims/file/limits.ts';
import { type ReadClaim, readClaim } from '../claims/file/read.ts';
import { readHost } from '../system/host.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { findAudits } from './claim-audits.ts';
import { withProfile } from './local-audits.ts';

/** The flags of `tare claim check`, parsed. */
export interface ClaimFlags {
  audit?: string[];
  out?: string;
  plain: boolean;
  full: boolean;
  json: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > LIMITS.bytes)
      throw new UserError(
        `${file} has ${size} bytes; a claim may have ${LIMITS.bytes}. Is it a claim? "tare claim new" prints one.`,
      );
    return await readFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code;
    throw new UserError(
      `cannot read ${file}: ${why}. Give a claim as YAML; "tare claim new" prints one to fill in.`,
    );
  }
}

const NOT_UTF8 = 'it is not UTF-8, as another encoding or no text is; save it as UTF-8';

/** The claim of a file; null after its faults were told. */
async function claimOf(file: string): Promise<Claim | null> {
  const text = decodeClaim(await bytesOf(file));
  const read: ReadClaim =
    text === null ? { ok: false, faults: [{ line: 1, column: 1, message: NOT_UTF8 }] } : readClaim(text);
  if (read.ok) return read.claim;
  for (const { line, column, message } of read.faults.slice(0, LIMITS.faults))
    say(`${file}:${line}:${column}: ${oneLine(message)}`);
  if (read.faults.length > LIMITS.faults) say(`… and ${read.faults.length - LIMITS.faults} more`);
  say(`${count(read.faults.length, 'fault')} in ${file}, so it was not checked.`);
  return null;
}

/** Names of folders for several claims: those of the files, told apart by a number where they are the same. */
export function folderNames(files: readonly string[]): readonly string[] {
  const stems = files.map((file) => basename(file, extname(file)));
  return stems.map((stem, i) => {
    const before = stems.slice(0, i).filter((other) => other === stem).length;
    return before === 0 ? stem : `${stem}-${before + 1}`;
  });
}

/** 2: a file has faults; 3: something is contradicted; 4: something is undetermined; 0: all is supported. */
export function claimExitCode(documents: readonly Pick<ClaimDocument, 'verdict'>[], faulty: boolean): number {
  if (faulty) return EXIT.usage;
  if (documents.some(({ verdict }) => verdict === 'contradicted')) return EXIT.outOfTolerance;
  return documents.every(({ verdict }) => verdict === 'supported') ? EXIT.fine : EXIT.undetermined;
}

/** All of it where that was asked for; else one claim in short, and several in a line each. */
function textFor(
  document: ClaimDocument,
  several: boolean,
  full: boolean,
  options: ClaimTextOptions,
): string {
  const name = several ? `${oneLine(document.file)}\n` : '';
  if (full) return `${name}${claimText(document, options)}`;
  return `${name}${several ? claimLine(document, options) : claimShortText(document, options)}`;
}

/** Runs the command. */
export async function runClaimCheck(files: readonly string[], flags: ClaimFlags): Promise<void> {
  const claims: { file: string; claim: Claim | null }[] = [];
  for (const file of files) claims.push({ file, claim: await claimOf(file) });
  const sound = claims.filter((one): one is { file: string; claim: Claim } => one.claim !== null);
  const host = await readHost();
  const audits =
    sound.length === 0
      ? []
      : await findAudits({ folders: flags.audit ?? null, results: 'results', host, say });
  const documents = sound.map(({ file, claim }) =>
    auditClaim(file, claim, {
      checks: ARITHMETIC_CHECKS,
      client: clientKnowledge(claim.measurement.client.name, claim.measurement.client.version),
      expected: expectedBias(claim, withProfile(audits, claim.measurement.client.name, host)),
    }),
  );
  const color = process.stderr.isTTY === true && process.env.NO_COLOR === undefined;
  const width = process.stderr.columns ?? 100;
  const names = folderNames(sound.map(({ file }) => file));
  for (const [i, document] of documents.entries()) {
    if (i > 0) say('');
    say(textFor(document, files.length > 1, flags.full, { plain: flags.plain, color, width }));
    if (flags.out !== undefined) {
      const dir = files.length > 1 ? join(flags.out, names[i]!) : flags.out;
      say(`${dir}: ${(await writeClaimReports(document, dir)).join(', ')}`);
    }
  }
  if (flags.json && documents.length > 0)
    process.stdout.write(`${JSON.stringify(files.length === 1 ? documents[0] : documents)}\n`);
  process.exitCode = claimExitCode(documents, sound.length < claims.length);
}
