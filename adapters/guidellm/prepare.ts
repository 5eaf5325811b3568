/** A trial's data set and command line. */
import { writeFile } from 'node:fs/promises';
import { cpus as machineCpus } from 'node:os';
import { join } from 'node:path';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { prompts } from '../kit/prompts.ts';

export const RESULT_FILE = 'result.json';

/** Every GUIDELLM_ variable of the user's is taken away: each can change what is run. */
export const withoutSettings = (env: Readonly<Record<string, string | undefined>>): Record<string, null> =>
  Object.fromEntries(
    Object.keys(env)
      .filter((name) => name.startsWith('GUIDELLM_'))
      .map((name) => [name, null]),
  );

/**
 * asyncio has as many threads for blocking calls as the cores that the process may run on (from Python 3.13 on) and four. guidellm's
 * workers keep more than five of them waiting while they start, so on one core it hangs for ever. With the machine's cores, and two at least, it does not.
 */
const enoughThreads = (): string => String(Math.max(2, machineCpus().length));

/**
 * One row a request, since a data set that ends, ends the run. It asks for `output_tokens_count` with ignore_eos, and needs no tokenizer:
 * tokens are those of usage.
 */
function dataset({ workload }: LaunchRequest): string {
  const texts = prompts(workload.seed, workload.requests, workload.promptTokens);
  const row = (_: unknown, i: number) =>
    JSON.stringify({ prompt: texts[i % texts.length], output_tokens_count: workload.outputTokens });
  return `${Array.from({ length: workload.requests }, row).join('\n')}\n`;
}

export async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found, url, model, workers, variants } = request;
  const whole = variants?.includes('plain-json') === true;
  const data = join(dir, 'prompts.jsonl');
  await writeFile(data, dataset(request));
  return {
    argv: [
      found.handle.program!,
      'run',
      ...['--backend', `kind=openai_http,target=${url},model=${model}${whole ? ',stream=false' : ''}`],
      ...['--profile', `kind=${workload.arrivals.kind},rate=${workload.rateRps}`],
      ...['--constraint', `kind=max_requests,count=${workload.requests}`],
      ...['--data', `kind=json_file,path=${data}`],
      // Read and made into requests beforehand, so that the schedule does not wait for them.
      ...['--data-loader', `kind=pytorch,samples=${workload.requests}`],
      ...['--seed', `kind=static,value=${workload.seed}`],
      ...['--output', `kind=json,path=${join(dir, RESULT_FILE)}`],
      '--disable-console-interactive',
    ],
    env: {
      ...withoutSettings(process.env),
      ...CLIENT_ENV,
      HF_HUB_OFFLINE: '1',
      HF_HUB_DISABLE_TELEMETRY: '1',
      // Its data set library keeps a copy of every file that it reads.
      HF_HOME: join(dir, 'hf'),
      PYTHONPATH: null,
      PYTHON_CPU_COUNT: enoughThreads(),
      ...(workers === null ? {} : { GUIDELLM__MAX_WORKER_PROCESSES: String(workers) }),
      ...(found.handle.torch === 'stand-in' ? { USE_TORCH: '0' } : {}),
    },
    cwd: dir,
  };
}
