/** A trial's files and command line; the same flags for both clients. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrivals, Workload } from '../../src/measure/workload.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { prompts } from '../kit/prompts.ts';
import { OFFLINE_ENV, writeTokenizer } from '../kit/tokenizer.ts';

export const RESULT_FILE = 'result.json';

/** Prefix of the x-request-id that both clients send; the request's ordinal follows. */
export const requestIdPrefix = (seed: number): string => `vllm-${seed}-`;

/** vLLM's burstiness is the shape of gamma gaps, 1/CV²; infinite means constant gaps. */
export function burstiness(arrivals: Arrivals): string {
  if (arrivals.kind === 'constant') return 'inf';
  return arrivals.kind === 'gamma' ? String(1 / arrivals.cv2) : '1';
}

/** The sharegpt data set drops what does not fit these bounds (is_valid_sequence in benchmarks/datasets/datasets.py). */
export function refuseLengths(workload: Workload): string | null {
  const { promptTokens, outputTokens } = workload;
  if (promptTokens >= 4 && promptTokens <= 1024 && promptTokens + outputTokens <= 2048) return null;
  return (
    'vLLM bench drops prompts of its sharegpt data set that are shorter than 4 or longer than 1,024 tokens, ' +
    `or that exceed 2,048 with the answer; asked were ${promptTokens} and ${outputTokens}`
  );
}

export async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found } = request;
  const { program, launcher, wheel } = found.handle;
  const tokenizer = await writeTokenizer(join(dir, 'tokenizer'));
  const dataset = join(dir, 'sharegpt.json');
  const conversations = prompts(workload.seed, workload.requests, workload.promptTokens).map((value, i) => ({
    id: String(i),
    conversations: [
      { from: 'human', value },
      { from: 'gpt', value: 'tok tok tok tok' },
    ],
  }));
  await writeFile(dataset, JSON.stringify(conversations));
  return {
    argv: [
      program!,
      ...(launcher && wheel ? [launcher, wheel] : ['bench', 'serve']),
      ...['--backend', 'openai-chat', '--endpoint', '/v1/chat/completions', '--base-url', request.url],
      ...['--model', request.model, '--tokenizer', tokenizer],
      ...['--dataset-name', 'sharegpt', '--dataset-path', dataset],
      ...['--sharegpt-output-len', String(workload.outputTokens)],
      ...['--num-prompts', String(workload.requests), '--request-rate', String(workload.rateRps)],
      ...['--burstiness', burstiness(workload.arrivals), '--seed', String(workload.seed)],
      ...['--ignore-eos', '--temperature', '0', '--request-id-prefix', requestIdPrefix(workload.seed)],
      ...['--ready-check-timeout-sec', '0', '--disable-tqdm'],
      ...['--percentile-metrics', 'ttft,tpot,itl,e2el', '--metric-percentiles', '50,90,99'],
      ...['--save-result', '--save-detailed', '--result-dir', dir, '--result-filename', RESULT_FILE],
    ],
    env: {
      ...OFFLINE_ENV,
      ...CLIENT_ENV,
      VLLM_USE_RUST_BENCH: null,
      VLLM_NO_USAGE_STATS: '1',
      ...(launcher ? { PYTHONPATH: null } : {}),
    },
    cwd: dir,
  };
}
