/** A trial's plan and command line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import { findFreePort } from '../../src/system/ports.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { planOf } from './plan.ts';

const PLAN_FILE = 'plan.json';

/** The class of locustfile.py that a variant runs: locust's client on requests, or the one on geventhttpclient. */
export type UserClass = 'HttpChat' | 'FastHttpChat';

/** Every LOCUST_ variable of the user's is taken away: each is a flag of locust's. */
const withoutLocustSettings = (env: Readonly<Record<string, string | undefined>>): Record<string, null> =>
  Object.fromEntries(
    Object.keys(env)
      .filter((name) => name.startsWith('LOCUST_'))
      .map((name) => [name, null]),
  );

/** One process is locust alone; more are a master that sends nothing and so many workers. */
async function processFlags(processes: number): Promise<string[]> {
  if (processes === 1) return [];
  const port = String(await findFreePort());
  return [
    ...['--processes', String(processes), '--expect-workers-max-wait', '30'],
    ...['--master-bind-host', '127.0.0.1', '--master-bind-port', port, '--master-port', port],
  ];
}

export async function prepare(
  request: LaunchRequest,
  userClass: UserClass,
  processes: number,
): Promise<ClientCommand> {
  const { workload, url, model, dir, found } = request;
  const plan = planOf(workload, model, processes, dir);
  const planFile = join(dir, PLAN_FILE);
  await writeFile(planFile, JSON.stringify(plan));
  const users = String(plan.users);
  return {
    argv: [
      found.handle.program!,
      ...['-f', asset('adapters/locust/locustfile.py'), '--host', url],
      // All users at once: the locustfile starts each at its own instant.
      ...['--headless', '--only-summary', '--users', users, '--spawn-rate', users],
      ...(await processFlags(processes)),
      userClass,
    ],
    env: {
      ...CLIENT_ENV,
      ...withoutLocustSettings(process.env),
      PYTHONPATH: null,
      PYTHONDONTWRITEBYTECODE: '1',
      TARE_LOCUST_PLAN: planFile,
      // The user's own ~/.locust.conf could add flags, and requests would read ~/.netrc for every request.
      HOME: dir,
    },
    cwd: dir,
  };
}
