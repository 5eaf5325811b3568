/** The commands that a client file runs after the load, on what the client left. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** Written by `prepare` into the trial's folder, so that what was run can be read there. */
export const AFTER_FILE = 'after.json';

export interface AfterCommand {
  readonly argv: readonly string[];
  /** File in the trial's folder that its stdout goes to. */
  readonly stdout?: string;
}

const MINUTES = 5;

/** Runs them in turn; the first failure as a reason, or null. */
export async function runAfter(dir: string): Promise<string | null> {
  const commands = JSON.parse(await readFile(join(dir, AFTER_FILE), 'utf8')) as AfterCommand[];
  for (const { argv, stdout } of commands) {
    const [file, ...args] = argv;
    const ended = await execa(file!, args, {
      cwd: dir,
      reject: false,
      stdin: 'ignore',
      stdout: stdout === undefined ? 'ignore' : { file: join(dir, stdout) },
      timeout: MINUTES * 60_000,
    });
    if (ended.failed) {
      const words = (ended.stderr ?? '').trim().split('\n').at(-1) ?? '';
      return `the command for after the load failed (${argv.join(' ')}): ${words === '' ? ended.shortMessage : words}`;
    }
  }
  return null;
}
