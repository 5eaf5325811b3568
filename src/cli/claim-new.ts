/** What `tare claim new` does. */
import { writeFile } from 'node:fs/promises';
import { readDocument } from '../../reports/read-document.ts';
import { CLAIM_TEMPLATE } from '../claims/file/template.ts';
import { claimFromAudit, PERCENTILES } from '../claims/from-audit/from-audit.ts';
import { UserError } from '../system/user-error.ts';

/** The flags of `tare claim new`, parsed. */
export interface ClaimNewFlags {
  from?: string;
  client?: string;
  rate?: number[];
  percentiles: boolean;
  claimant?: string;
}

/** The template, or with `--from` an audit's own figures. */
async function textOf({ from, client, rate, percentiles, claimant }: ClaimNewFlags): Promise<string> {
  if (from === undefined) {
    if (client !== undefined || rate !== undefined || percentiles || claimant !== undefined)
      throw new UserError(
        '--client, --rate, --percentiles and --claimant are of an audit: give its results folder with --from.',
      );
    return CLAIM_TEMPLATE;
  }
  const document = await readDocument(from);
  const only = document.plan.clients.length === 1 ? document.plan.clients[0] : undefined;
  const name = client ?? only;
  if (name === undefined)
    throw new UserError(
      `the audit in ${from} has ${document.plan.clients.join(', ')}: give one of them with --client.`,
    );
  return claimFromAudit({
    document,
    client: name,
    rates: rate ?? null,
    percentiles,
    ...(claimant === undefined ? {} : { claimant }),
  });
}

/** Prints the claim, or writes it; an existing file stays as it is. */
export async function runClaimNew(
  file: string | undefined,
  flags: ClaimNewFlags = { percentiles: false },
): Promise<void> {
  const text = await textOf(flags);
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      code === 'EEXIST'
        ? `${file} exists already and was left as it is. Give another name, or none to print the claim.`
        : `cannot write ${file} (${code}). Give a file in a folder that exists and can be written.`,
    );
  }
  if (flags.percentiles) process.stderr.write(`${PERCENTILES}\n`);
  process.stderr.write(
    `${file}: ${flags.from === undefined ? 'fill it in, then: ' : ''}tare claim check ${file}\n`,
  );
}
