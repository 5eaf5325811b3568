/** What a client said on its way out, for the reason of a failed or unreadable trial. */
import { readFile } from 'node:fs/promises';
import type { Parsed, ParseRequest } from '../contract.ts';

/** Frames that command-line tools draw around their messages (Unicode's box drawing and block elements). */
const FRAME = /[\u2500-\u259f]+/g;

/** The last line of a file that says something, at most 300 characters; null where there is none. Never throws. */
export async function lastWords(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const line = text
    .split(/[\r\n]+/)
    .map((one) => one.replace(FRAME, ' ').trim())
    .filter((one) => one !== '')
    .at(-1);
  return line ? line.slice(0, 300) : null;
}

/** "exit code 1; its last words: …". Some clients log to stdout; that is looked at where stderr is empty. */
export async function describeExit(
  exitCode: number | null,
  stderrFile: string,
  stdoutFile?: string,
): Promise<string> {
  const words = (await lastWords(stderrFile)) ?? (stdoutFile ? await lastWords(stdoutFile) : null);
  const code = exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`;
  return words ? `${code}; its last words: ${words}` : `${code}, and it said nothing`;
}

/** The outcome of a client that ended by its own account and left no result to read. */
export const failedExit = async (
  request: Pick<ParseRequest, 'exitCode' | 'stderrFile' | 'stdoutFile'>,
): Promise<Parsed> => ({
  state: 'failed',
  reason: await describeExit(request.exitCode, request.stderrFile, request.stdoutFile),
});
