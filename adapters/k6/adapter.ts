/** k6, with our script chat.js. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import { asset } from '../../src/system/package-root.ts';
import type { Adapter, ClientCommand, LaunchRequest } from '../contract.ts';
import { refuseArrivals } from '../kit/arrivals.ts';
import { chatBody } from '../kit/chat-body.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { prompts } from '../kit/prompts.ts';
import { k6Facts } from './facts.ts';
import { findK6 } from './find.ts';
import { FILES, parseK6 } from './parse.ts';
import { constantScenario, type K6Plan, k6Options, MIN_DURATION_S, RECORDS_UP_TO_RPS } from './plan.ts';

/** Distinct prompts that a trial sends; more would only make the plan larger. */
const PROMPTS = 100;

/** Why k6 cannot be asked for this workload, or null. */
export function refusal(workload: Workload): string | null {
  const arrivals = refuseArrivals('k6 (equal gaps only)', k6Facts, workload);
  if (arrivals !== null) return arrivals;
  if (workload.requests / workload.rateRps < MIN_DURATION_S) {
    return `k6's arrival-rate executors run for at least ${MIN_DURATION_S} s`;
  }
  return null;
}

/** The plan of a trial; everything that chat.js needs to know. */
export function planOf({ workload, url, model, dir, variants }: LaunchRequest): K6Plan {
  const streams = variants?.includes('plain-json') !== true;
  const bodies = prompts(workload.seed, workload.requests, workload.promptTokens, PROMPTS).map((prompt) =>
    chatBody(model, prompt, workload.outputTokens, false, streams),
  );
  return {
    url: `${url}/v1/chat/completions`,
    bodies,
    idPrefix: `k6-${workload.seed}`,
    timeout: '120s',
    records: workload.rateRps <= RECORDS_UP_TO_RPS,
    summaryFile: join(dir, FILES.summary),
    options: k6Options(constantScenario(workload)),
  };
}

/** Every K6_ variable of the user's is taken away: each can change what is run or how it is summed up. */
const withoutK6Settings = (env: Readonly<Record<string, string | undefined>>): Record<string, null> =>
  Object.fromEntries(
    Object.keys(env)
      .filter((name) => name.startsWith('K6_'))
      .map((name) => [name, null]),
  );

async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { dir, found } = request;
  const file = (name: string) => join(dir, name);
  await writeFile(file(FILES.plan), JSON.stringify(planOf(request)));
  // The user's own configuration file could add outputs or options.
  await writeFile(file(FILES.config), '{}\n');
  const argv = [
    ...[found.handle.path!, 'run', '--quiet', '--no-color', '--no-usage-report', '--address='],
    ...['--config', file(FILES.config), '--log-output', `file=${file(FILES.log)}`],
    ...['--console-output', file(FILES.records)],
    ...['-e', `TARE_K6_PLAN=${file(FILES.plan)}`, asset('adapters/k6/chat.js')],
  ];
  return { argv, env: { ...CLIENT_ENV, ...withoutK6Settings(process.env) }, cwd: dir };
}

export const k6Adapter: Adapter = {
  name: 'k6',
  title: 'k6',
  facts: k6Facts,
  find: () => findK6(),
  prepare,
  parse: parseK6,
  refuses: refusal,
};
