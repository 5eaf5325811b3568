/** Runs the `install` of a client that ships with Tare as a client file, into its own folder under the cache. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../src/system/tool.ts';
import { UserError } from '../../src/system/user-error.ts';
import { causeLines } from '../kit/cause-lines.ts';
import type { Say } from '../kit/venv.ts';
import { which } from '../kit/which.ts';
import type { Home } from './home.ts';
import type { ClientSpec } from './schema.ts';
import { fill } from './template.ts';

const MINUTES = 30;

/** There from an installation's start until it is done: a program in a folder with it may be half-made. */
const unfinishedFile = (home: Home): string => join(home.cache, 'tare-setup.unfinished');

/** Whether the client's folder holds an installation that was not finished. */
export const isUnfinished = (home: Home): boolean => existsSync(unfinishedFile(home));

/** @throws UserError where the tool that it takes is not there, or fails; Interrupted. */
export async function install(spec: ClientSpec, home: Home, say: Say): Promise<void> {
  const how = spec.install!;
  if ((await which(how.needs)) === null)
    throw new UserError(
      `${spec.name} is installed with ${how.needs}, which is not on PATH: ${how.needs_remedy}`,
    );
  const values = { here: home.here, cache: home.cache };
  const env = Object.fromEntries(Object.entries(how.env).map(([name, value]) => [name, fill(value, values)]));
  const [file, ...args] = how.command.map((word) => fill(word, values));
  await mkdir(home.cache, { recursive: true });
  await writeFile(unfinishedFile(home), '');
  say(`${[...Object.entries(env).map(([name, value]) => `${name}=${value}`), file, ...args].join(' ')}`);
  let said = 0;
  const ended = await runTool(file!, args, {
    env,
    cwd: home.cache,
    timeoutMs: MINUTES * 60_000,
    onLine(line) {
      // A build prints a line a package; every twentieth shows that it is alive.
      if (line.trim() !== '' && said++ % 20 === 0) say(line.trim().slice(0, 110));
    },
  });
  if (!ended.failed) return rm(unfinishedFile(home), { force: true });
  const why = ended.timedOut
    ? `it took more than ${MINUTES} minutes`
    : `exit code ${ended.exitCode ?? 'none'}`;
  const words = causeLines(ended.output).join('\n  ');
  throw new UserError(
    `${how.needs} could not install ${spec.name} (${why}); it said:\n  ${words}\nSee to the network or the package index and run the same command again.`,
    1,
  );
}
