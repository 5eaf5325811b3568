/** What `tare claim new` does. */
import { writeFile } from 'node:fs/promises';
import { CLAIM_TEMPLATE } from '../claims/file/template.ts';
import { UserError } from '../system/user-error.ts';

/** Prints the template, or writes it; an existing file stays as it is. */
export async function runClaimNew(file: string | undefined): Promise<void> {
  if (file === undefined) {
    process.stdout.write(CLAIM_TEMPLATE);
    return;
  }
  try {
    await writeFile(file, CLAIM_TEMPLATE, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(
      code === 'EEXIST'
        ? `${file} exists already and was left as it is. Give another name, or none to print the claim.`
        : `cannot write ${file} (${code}). Give a file in a folder that exists and can be written.`,
    );
  }
  process.stderr.write(`${file}: fill it in, then: tare claim check ${file}\n`);
}
