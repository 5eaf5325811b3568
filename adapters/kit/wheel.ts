/**
 * Part of a package's wheel, byte for byte, without its dependencies: for a client whose package would pull in gigabytes (torch, CUDA)
 * that its load generator never touches.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import { runTool } from '../../src/system/tool.ts';
import { UserError } from '../../src/system/user-error.ts';
import { pip, type Say } from './venv.ts';

/** The folder, within a client's, that holds the wheel's files. */
const WHEEL_FOLDER = 'wheel';

export const wheelFolder = (clientFolder: string): string => join(clientFolder, WHEEL_FOLDER);

export interface WheelPart {
  /** The package's name and exact version. */
  readonly name: string;
  readonly version: string;
  /** Size of the download, for people. */
  readonly megabytes: number;
  /** Shell patterns of the files to take; * matches slashes too. */
  readonly patterns: readonly string[];
}

/**
 * Downloads the wheel into `folder` and unpacks the part; what was there before is removed.
 * @throws UserError when pip fails or a file does not match the wheel's RECORD.
 */
export async function takeWheel(part: WheelPart, folder: string, python: string, say: Say): Promise<void> {
  const { name, version, patterns } = part;
  const downloads = join(folder, 'download');
  const target = wheelFolder(folder);
  await rm(downloads, { recursive: true, force: true });
  await rm(target, { recursive: true, force: true });
  say(`${name} ${version}: the wheel, about ${part.megabytes} MB, without its dependencies`);
  const options = ['--no-deps', '--no-cache-dir', '--only-binary', ':all:', '--dest', downloads];
  await pip(python, ['download', ...options, `${name}==${version}`], say);
  const wheel = (await readdir(downloads)).find((file) => file.endsWith('.whl'));
  if (!wheel) throw new UserError(`pip left no wheel of ${name} ${version} in ${downloads}`, 1);
  const script = asset('adapters/kit/unpack_wheel.py');
  const unpacked = await runTool(python, [script, join(downloads, wheel), target, ...patterns], {
    timeoutMs: 300_000,
  });
  if (unpacked.failed) throw new UserError(`the ${name} wheel could not be unpacked: ${unpacked.output}`, 1);
  await rm(downloads, { recursive: true, force: true });
  say(`unpacked ${unpacked.output.trim()}, each as the wheel's RECORD says`);
}
