/** Runs the `install` of a client that ships with Tare as a client file, into its own folder under the cache. */
import { mkdir } from 'node:fs/promises';
import { execa } from 'execa';
import { UserError } from '../../src/system/user-error.ts';
import type { Say } from '../kit/venv.ts';
import { which } from '../kit/which.ts';
import type { Home } from './home.ts';
import type { ClientSpec } from './schema.ts';
import { fill } from './template.ts';

const MINUTES = 30;

/** @throws UserError where the tool that it takes is not there, or fails. */
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
  say(`${[...Object.entries(env).map(([name, value]) => `${name}=${value}`), file, ...args].join(' ')}`);
  const child = execa(file!, args, {
    reject: false,
    all: true,
    env,
    cwd: home.cache,
    stdin: 'ignore',
    timeout: MINUTES * 60_000,
  });
  let said = 0;
  for await (const line of child.iterable({ from: 'all' })) {
    // A build prints a line a package; every twentieth shows that it is alive.
    if (line.trim() !== '' && said++ % 20 === 0) say(line.trim().slice(0, 110));
  }
  const ended = await child;
  if (!ended.failed) return;
  const why = ended.timedOut
    ? `it took more than ${MINUTES} minutes`
    : `exit code ${ended.exitCode ?? 'none'}`;
  const words = (ended.all ?? '').trim().split('\n').slice(-6).join('\n  ');
  throw new UserError(
    `${how.needs} could not install ${spec.name} (${why}); its last words:\n  ${words}\nSee to the network or the package index and run the same command again.`,
    1,
  );
}
