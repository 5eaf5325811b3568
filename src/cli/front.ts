/** `tare front`: TLS and HTTP/2 before a server that speaks neither. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { FRONT_PROTOCOLS, type FrontProtocol } from '../../simulators/front/record.ts';
import { serveFront } from '../../simulators/front/server.ts';
import { isLoopbackAddress } from '../system/loopback.ts';
import { makeFolder } from '../system/make-folder.ts';
import { UserError } from '../system/user-error.ts';
import { positiveInteger } from './options.ts';
import { endOfService } from './serve-shared.ts';

interface FrontFlags {
  readonly upstream: string;
  readonly protocol: FrontProtocol;
  readonly dir: string;
  readonly parentPid?: number;
}

/** Name of the file in `--dir` that says at the end what was negotiated. */
export const FRONT_RECORD = 'front.json';

/** Registers `tare front`. */
export function registerFront(program: Command): void {
  program
    .command('front')
    .description('TLS and HTTP/2 on loopback before a plain HTTP target, as `tare profile` uses it')
    .requiredOption('--upstream <url>', 'the target, e.g. http://127.0.0.1:8000')
    .addOption(
      new Option('--protocol <what>', 'what is offered: HTTP/1.1 in TLS, or HTTP/2 as well')
        .choices(FRONT_PROTOCOLS)
        .default('http2'),
    )
    .requiredOption(
      '--dir <folder>',
      `for ca.pem, which clients are to trust, and at the end ${FRONT_RECORD}`,
    )
    .option('--parent-pid <pid>', 'end when this process does', positiveInteger)
    .action(front);
}

async function front({ upstream, protocol, dir, parentPid }: FrontFlags): Promise<void> {
  const { protocol: scheme, hostname } = URL.canParse(upstream)
    ? new URL(upstream)
    : { protocol: '', hostname: '' };
  if (scheme !== 'http:' || !isLoopbackAddress(hostname.replace(/^\[|\]$/g, '')))
    throw new UserError(
      `--upstream ${upstream} is no http URL of a loopback address, e.g. http://127.0.0.1:8000`,
    );
  const ended = endOfService(parentPid);
  const folder = resolve(dir);
  await makeFolder(folder);
  const running = await serveFront(upstream, protocol, folder);
  process.stdout.write(
    `${JSON.stringify({ ready: true, url: running.url, ca_file: running.caFile, pid: process.pid })}\n`,
  );
  await ended;
  await writeFile(join(folder, FRONT_RECORD), `${JSON.stringify(running.record(), null, 2)}\n`);
  await running.stop();
}
