/** A trial's files and command line; the same flags for both clients. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { prompts } from '../kit/prompts.ts';
import { OFFLINE_ENV, writeTokenizer } from '../kit/tokenizer.ts';

/** One line of JSON: it would append to a file that is there. */
export const RESULT_FILE = 'result.jsonl';

/** What its sharegpt data set refuses or silently drops (sample_sharegpt_requests in benchmark/datasets/sharegpt.py). */
export function refuseLengths(workload: Workload): string | null {
  const { promptTokens, outputTokens } = workload;
  if (promptTokens >= 2 && outputTokens >= 4) return null;
  return (
    'SGLang bench takes no prompt shorter than 2 tokens in its sharegpt data set, and asks for no fewer than 4; ' +
    `asked were ${promptTokens} and ${outputTokens}`
  );
}

/** Where the data set is shorter than the run, SGLang shortens the run: so it holds every request, the prompts going round. */
function conversations(workload: Workload): object[] {
  const texts = prompts(workload.seed, workload.requests, workload.promptTokens);
  return Array.from({ length: workload.requests }, (_, i) => ({
    id: String(i),
    conversations: [
      { from: 'human', value: texts[i % texts.length] },
      { from: 'gpt', value: 'tok tok tok tok' },
    ],
  }));
}

export async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found } = request;
  const { program, launcher, wheel, kind, module } = found.handle;
  const tokenizer = await writeTokenizer(join(dir, 'tokenizer'));
  const dataset = join(dir, 'sharegpt.json');
  await writeFile(dataset, JSON.stringify(conversations(workload)));
  return {
    argv: [
      program!,
      ...(launcher ? [launcher, wheel!, kind!] : ['-m', module!]),
      ...['--backend', 'vllm-chat', '--base-url', request.url],
      // --model is looked up as a tokenizer, too.
      ...['--model', tokenizer, '--served-model-name', request.model, '--tokenizer', tokenizer],
      ...['--dataset-name', 'sharegpt', '--dataset-path', dataset],
      ...['--sharegpt-output-len', String(workload.outputTokens)],
      ...['--num-prompts', String(workload.requests), '--request-rate', String(workload.rateRps)],
      ...['--seed', String(workload.seed), '--disable-tqdm'],
      ...(request.variants?.includes('plain-json') ? ['--disable-stream'] : []),
      ...['--output-details', '--output-file', join(dir, RESULT_FILE)],
    ],
    env: {
      ...OFFLINE_ENV,
      ...CLIENT_ENV,
      API_KEY: null,
      SGLANG_USE_MODELSCOPE: null,
      ...(launcher ? { PYTHONPATH: null } : {}),
    },
    cwd: dir,
  };
}
